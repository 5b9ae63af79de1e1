/**
 * Reads the command line and does what it says. Exit codes: 0 done, 1 failed, 2 not understood, 130 interrupted before all
 * was put in order. Settings come from the environment, secrets above all: a flag can be read by everybody on the machine.
 */
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import type { Environment, Known } from '@milepost/server';
import { version } from './version.ts';

const notUnderstood = 2;

/** Loaded when one of them is wanted. */
const load = async () => (await import('./processes.ts')).processes;

export async function run(words: readonly string[], environment: Environment): Promise<void> {
  try {
    await commands(environment).parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help that was asked for is an answer; help for lack of a command is not.
    process.exitCode = error.exitCode === 0 ? 0 : notUnderstood;
  }
}

function commands(environment: Environment): Command {
  const program = new Command('milepost')
    .description('Keeps track of every experiment of a research study through its workflow.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(milepost --help lists what there is)')
    .addHelpText('before', examples('milepost dev --demo', 'milepost doctor'))
    .addHelpText(
      'after',
      '\nSettings come from the environment: see docs/reference/settings.md. milepost COMMAND --help says more.',
    );
  addDev(program, environment);
  addProcesses(program, environment);
  addHistory(program, environment);
  program
    .command('doctor')
    .summary('look whether an installation is fit')
    .description(
      'Looks at Node, settings, database, rights, queue, workers, checkpoints and address. Exits with 1 if one of them failed.',
    )
    .addHelpText('before', examples('DATABASE_URL=postgresql://... milepost doctor'))
    .action(async () => (await load()).doctor(environment));
  return program;
}

function addDev(program: Command, environment: Environment): void {
  program
    .command('dev')
    .summary('run everything on this machine, with a PostgreSQL of its own')
    .description(
      'Runs PostgreSQL, server and worker on this machine until Ctrl-C, and keeps the data for the next start.',
    )
    .addHelpText(
      'before',
      examples('milepost dev --demo', 'milepost dev --port 8090', 'milepost dev --data ~/studies/pilot --no-open'),
    )
    .option('--demo', 'with an example study that is alive')
    .option('--data <folder>', 'where the data are kept', 'milepost-data')
    .option('--port <number>', 'where to serve (as MILEPOST_PORT)', readPort)
    .option('--no-open', 'leave the browser alone')
    .action(async (options: { demo?: boolean; data: string; port?: number; open: boolean }) =>
      (await load()).dev({ ...options, demo: options.demo ?? false }, environment),
    );
}

function addProcesses(program: Command, environment: Environment): void {
  program
    .command('serve')
    .summary('serve requests')
    .description('Serves until SIGTERM or Ctrl-C. The database must have been migrated.')
    .addHelpText('before', examples('DATABASE_URL=postgresql://... milepost serve'))
    .action(async () => (await load()).serve(environment));
  program
    .command('work')
    .summary('run callbacks')
    .description('Runs callbacks until SIGTERM or Ctrl-C. As many workers may run as are wanted, anywhere.')
    .addHelpText('before', examples('DATABASE_URL=postgresql://... milepost work'))
    .action(async () => (await load()).work(environment));
  program
    .command('migrate')
    .summary('bring the database up to date')
    .description('Brings the database up to date, as its owner, for the role in DATABASE_URL. There is no way back.')
    .addHelpText(
      'before',
      examples('DATABASE_URL=postgresql://... MILEPOST_OWNER_DATABASE_URL=postgresql://... milepost migrate'),
    )
    .action(async () => (await load()).migrate(environment));
}

function addHistory(program: Command, environment: Environment): void {
  program
    .command('export-history')
    .summary('write the history into a file')
    .description('Writes the history with its checkpoints, personal values and keys into a new file, as lines of JSON.')
    .addHelpText('before', examples('DATABASE_URL=postgresql://... milepost export-history history.ndjson'))
    .argument('<file>', 'must not be there yet')
    .action(async (file: string) => (await load()).exportHistory(file, environment));
  program
    .command('verify')
    .summary('look whether the history is as it was written')
    .description(
      'Verifies an exported history, with nothing but the public key; without a file, the one in the database. Names the ' +
        'first entry that is not as it was written, and exits with 1; with 2 where it could not be looked at.',
    )
    .addHelpText(
      'before',
      examples(
        'milepost verify history.ndjson --public-key checkpoint-key.pub.pem',
        'milepost verify history.ndjson --public-key old.pub.pem --public-key new.pub.pem --checkpoint 1204:5e1f...',
      ),
    )
    .argument('[file]', 'an exported history')
    .requiredOption('--public-key <file>', 'of the key that signs checkpoints, in PEM; once for each', readFileName)
    .option('--checkpoint <number:hash>', 'one that was kept, and must be there still; as often as wanted', readKept)
    .option('--allow-unsigned', 'let a history pass of which nothing is signed yet')
    .action(async (file: string | undefined, options: VerifyOptions) =>
      (await load()).verify(file, toKnown(options), environment),
    );
}

interface VerifyOptions {
  publicKey: string[];
  checkpoint?: Kept[];
  allowUnsigned?: boolean;
}

type Kept = NonNullable<Known['checkpoints']>[number];

const toKnown = ({ publicKey, checkpoint = [], allowUnsigned = false }: VerifyOptions): Known => ({
  publicKeys: publicKey,
  checkpoints: checkpoint,
  allowUnsigned,
});

/** Options that are given several times are gathered. */
const readFileName = (text: string, before: readonly string[] = []): string[] => [...before, text];

function readKept(text: string, before: readonly Kept[] = []): Kept[] {
  const [, number, hash] = /^([1-9]\d{0,14}):([\da-f]{64})$/i.exec(text) ?? [];
  if (number === undefined || hash === undefined)
    throw new InvalidArgumentError('A checkpoint is its number, a colon, and its hash of 64 hexadecimal digits.');
  return [...before, { number: Number(number), hash: hash.toLowerCase() }];
}

const examples = (...lines: string[]): string => `Examples:\n${lines.map((line) => `  ${line}\n`).join('')}`;

function readPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('A port is a number up to 65535.');
  return Number(text);
}
