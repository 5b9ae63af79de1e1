/** Scripts that complete commands and options. A script calls `milepost completion words`, so it never differs from the version. */
import { defineCommand, type Command, type CommandGroup } from '../run/command.ts';
import { usage } from '../run/failure.ts';
import { optionsOf } from '../run/help.ts';
import { flushOutput, writeOutput } from '../output/write-output.ts';

const scripts: Readonly<Record<string, string>> = {
  bash: `_milepost() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(milepost completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _milepost milepost
`,
  zsh: `#compdef milepost
_milepost() {
  local -a found
  found=("\${(@f)$(milepost completion words -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)}")
  compadd -a found || _files
}
compdef _milepost milepost
`,
  fish: `complete -c milepost -a '(milepost completion words -- (commandline -opc)[2..-1] 2>/dev/null)'
`,
};

/** The possible next words after the given ones. */
async function wordsAfter(
  groups: readonly CommandGroup[],
  [noun, verb, ...more]: readonly string[],
): Promise<string[]> {
  if (noun === undefined) return groups.map(({ name }) => name);
  const commands = (await groups.find(({ name }) => name === noun)?.load()) ?? [];
  const [only] = commands;
  if (only?.path === noun) return optionWords(only, [verb, ...more].at(-1));
  if (verb === undefined) return commands.map(({ path }) => path.slice(noun.length + 1));
  const command = commands.find(({ path }) => path === `${noun} ${verb}`);
  return command ? optionWords(command, more.at(-1)) : [];
}

/** The values of an option that has choices, or else all options. After an option with another value, the shell completes files. */
function optionWords(command: Command, last: string | undefined): string[] {
  const options = Object.entries(optionsOf(command));
  const waiting = options.find(
    ([name, { short }]) => last === `--${name}` || (short !== undefined && last === `-${short}`),
  );
  if (waiting?.[1].takes !== undefined) return [...(waiting[1].choices ?? [])];
  return options.map(([name]) => `--${name}`);
}

/** `groups` are those of the program, which can have more commands than the client. */
export const completionCommands = (groups: readonly CommandGroup[]): readonly Command[] => [
  defineCommand({
    path: 'completion',
    summary: 'print a script that completes commands in bash, zsh or fish',
    local: true,
    args: [
      { name: 'shell', about: 'bash, zsh or fish' },
      { name: 'words', about: 'used by the scripts', optional: true, repeated: true },
    ],
    examples: ['eval "$(milepost completion bash)"', 'milepost completion zsh', 'milepost completion fish'],
    run: async ({ args }) => {
      const script = scripts[args.shell];
      if (args.shell === 'words') await writeOutput(`${(await wordsAfter(groups, args.words)).join('\n')}\n`);
      else if (script === undefined)
        throw usage(`\`${args.shell}\` is not a supported shell.`, 'Use bash, zsh or fish.');
      else await writeOutput(script);
      await flushOutput();
    },
  }),
];
