/** Finds the command, parses its arguments and runs it. Data goes to standard output, everything else to standard error. */
import type { Call, Command, CommandGroup, Environment } from './command.ts';
import { exitCodes, Failure, usage } from './failure.ts';
import { commandHelp, groupHelp, mainHelp, type Section } from './help.ts';

export interface Program {
  version: string;
  examples: readonly string[];
  sections: readonly Section[];
}

export async function runCommandLine(
  program: Program,
  args: readonly string[],
  environment: Environment,
): Promise<void> {
  process.stdout.on('error', endOnClosedPipe);
  // Messages are not data: a command does not fail because nobody reads them, such as a worker whose terminal was closed.
  process.stderr.on('error', () => undefined);
  try {
    await dispatch(program, args, environment);
  } catch (error) {
    // Not loaded before, because help and completion must start fast.
    const { explainError } = await import('./explain-error.ts');
    report(explainError(error));
  }
}

/** `milepost experiment list | head` closes the pipe before everything is written. Other errors reach the writer of the output. */
function endOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit();
}

function report({ message, remedy, reason }: Failure): void {
  process.stderr.write(`Error: ${message}\n${remedy === undefined ? '' : `${remedy}\n`}`);
  process.exitCode = exitCodes[reason];
}

const isHelp = (word: string | undefined) => word === '--help' || word === '-h';

async function dispatch(program: Program, args: readonly string[], environment: Environment): Promise<void> {
  const [first, ...rest] = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  if (isHelp(first)) return void process.stdout.write(mainHelp(program.examples, program.sections));
  if (first === '--version' || first === '-V') return void process.stdout.write(`${program.version}\n`);
  if (first === undefined) throw usage('The command is missing.', 'See `milepost --help` for all commands.');
  const group = await findGroup(program.sections, first);
  const commands = await group.load();
  const [only] = commands;
  if (only?.path === group.name) return runCommand(only, rest, environment);
  return runCommandOf(group, commands, rest, environment);
}

async function findGroup(sections: readonly Section[], name: string): Promise<CommandGroup> {
  const groups = sections.flatMap((section) => section.groups);
  const found = groups.find((group) => group.name === name);
  if (found) return found;
  throw await unknown(
    name,
    groups.map((group) => group.name),
    '',
  );
}

async function unknown(name: string, known: readonly string[], before: string): Promise<Failure> {
  const { nearestName } = await import('@milepost/api/client');
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? '' : ` Did you mean \`milepost ${before}${nearest}\`?`;
  return usage(`There is no command \`milepost ${before}${name}\`.${hint}`, `See \`milepost ${before}--help\`.`);
}

async function runCommandOf(
  group: CommandGroup,
  commands: readonly Command[],
  [verb, ...rest]: readonly string[],
  environment: Environment,
): Promise<void> {
  if (isHelp(verb)) return void process.stdout.write(groupHelp(group, commands));
  const verbs = commands.map(({ path }) => path.slice(group.name.length + 1));
  if (verb === undefined) throw usage(`The command after \`${group.name}\` is missing: ${verbs.join(', ')}.`);
  const command = commands[verbs.indexOf(verb)];
  if (!command) throw await unknown(verb, verbs, `${group.name} `);
  return runCommand(command, rest, environment);
}

async function runCommand(command: Command, tokens: readonly string[], environment: Environment): Promise<void> {
  const { parseArguments } = await import('./parse-arguments.ts');
  const { wantsHelp, ...parsed } = parseArguments(command, tokens);
  if (wantsHelp) return void process.stdout.write(commandHelp(command));
  // The log collector of a service can end before the service does.
  if (command.isService) process.stdout.off('error', endOnClosedPipe).on('error', () => undefined);
  await command.run({ ...parsed, environment } as Call);
}
