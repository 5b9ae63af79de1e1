/**
 * Prints the commands in docs/reference/command-line.md from the table of commands, which the help reads, too.
 *   node --conditions=source tools/print-command-line.ts [--check]
 */
import { readFileSync } from 'node:fs';
import { optionAbout, optionLabel, usageOf, type Command, type CommandGroup } from '@milepost/cli';
import { program } from '../packages/milepost/src/run.ts';
import { fromRoot, printOrCheck } from './printed-file.ts';

const file = 'docs/reference/command-line.md';
const mark = '<!-- Everything below is printed from the help by `npm run print`. -->\n';

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function optionTable({ args = [], options = {} }: Command): string[] {
  const rows = [
    ...args.map(({ name, about }): [string, string] => [name.toUpperCase(), about]),
    ...Object.entries(options).map(([name, option]): [string, string] => [
      optionLabel(name, option),
      optionAbout(option),
    ]),
  ];
  if (rows.length === 0) return [];
  return [
    '| argument or option | meaning |',
    '|---|---|',
    ...rows.map(([left, right]) => `| \`${left}\` | ${right} |`),
    '',
  ];
}

const commandText = (command: Command): string[] => [
  `### ${command.path}`,
  '',
  '```',
  usageOf(command),
  '```',
  '',
  [sentence(command.summary), command.description].filter(Boolean).join(' '),
  '',
  ...optionTable(command),
  '```sh',
  ...command.examples,
  '```',
  '',
];

async function sectionText({ title, groups }: { title: string; groups: readonly CommandGroup[] }): Promise<string[]> {
  const commands = (await Promise.all(groups.map((group) => group.load()))).flat();
  return [`## ${title}`, '', ...commands.flatMap(commandText)];
}

const [introduction = ''] = readFileSync(fromRoot(file), 'utf8').split(mark);
const sections = (await Promise.all(program.sections.map(sectionText))).flat();
await printOrCheck({
  file,
  text: `${introduction}${mark}\n${sections.join('\n').trimEnd()}\n`,
  command: 'npm run print',
});
