import { defineCommand } from '../run/command.ts';
import { confirm, yesOption } from '../contexts/prompt.ts';
import { readText } from '../contexts/read-file.ts';
import { outputOptions, printOne } from '../output/print.ts';
import { visibleLine } from '../output/visible-text.ts';
import { note } from '../output/write-output.ts';
import { configLint } from './lint.ts';
import { connectWithPassword, passwordOption } from './token.ts';

const kinds = ['roles', 'users', 'external_systems', 'scantypes'] as const;

const apply = defineCommand({
  path: 'config apply',
  summary: 'import a configuration file after showing what it changes',
  description:
    'Adds new objects. Existing ones stay unchanged, unless you use --overwrite. Asks for your password, because a token cannot import configurations.',
  args: [{ name: 'file', about: 'the configuration file' }],
  options: {
    overwrite: { about: 'overwrite existing objects with the values in the file' },
    'dry-run': { about: 'only say what would change' },
    ...passwordOption,
    ...yesOption,
    ...outputOptions,
  },
  examples: [
    'milepost config apply study.yaml --dry-run --password-stdin < password',
    'milepost config apply study.yaml --overwrite --yes --password-stdin < password',
  ],
  run: async ({ args, values, environment }) => {
    const body = { config_definition: await readText(args.file) };
    const client = await connectWithPassword({ values, environment }, values['password-stdin']);
    const send = (dry_run: boolean) =>
      values.overwrite
        ? client.overwriteConfig({ body, query: { dry_run } })
        : client.importConfig({ body, query: { dry_run } });
    const plan = await send(true);
    for (const kind of kinds) note(`${kind}: ${plan[kind].length} added or changed`);
    for (const { message, line } of plan.warnings)
      note(visibleLine(`Warning${line === null ? '' : ` in line ${line}`}: ${message}`));
    if (values['dry-run']) return;
    await confirm('Apply this configuration?', values.yes);
    await printOne(await send(false), values, ['updated_at']);
  },
});

export const configCommands = [configLint, apply];
