/**
 * Parses the command line and runs the command. Exit codes: 0 success, 1 failure, 2 usage error, 130 interrupted during
 * shutdown. Secrets come from the environment, because every user of the machine can read command-line flags.
 */
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import type { Environment, Known } from '@milepost/server';
import type { DoctorOptions } from './doctor.ts';
import type { LintOptions } from './lint.ts';
import type { ResetOptions } from './reset-password.ts';
import { version } from './version.ts';

const usageError = 2;

const load = async () => (await import('./processes.ts')).processes;

export async function run(args: readonly string[], environment: Environment): Promise<void> {
  process.stdout.on('error', endOnClosedPipe);
  try {
    await commands(environment).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander also throws after `--help`, with exit code 0.
    process.exitCode = error.exitCode === 0 ? 0 : usageError;
  }
}

/** `milepost help dev | head` closes the pipe before everything is written. */
function endOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

function commands(environment: Environment): Command {
  const program = new Command('milepost')
    .description('Tracks every experiment in a research study through its workflow.')
    .version(version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show help for a command')
    .exitOverride()
    .showHelpAfterError('Run `milepost --help` for a list of commands and options.')
    .addHelpText('before', examples('milepost dev --demo', 'milepost doctor'))
    .addHelpText(
      'after',
      '\nRun `milepost COMMAND --help` for details. Settings are environment variables. See docs/reference/settings.md.',
    );
  addDev(program, environment);
  addProcesses(program, environment);
  addHistory(program, environment);
  program
    .command('insights')
    .description('Commands for the figures of the page Insights.')
    .command('rebuild')
    .summary('count the figures of the page Insights again')
    .description(
      'Deletes the figures of the page Insights, so that workers count them again from the actions. Changes nothing else.',
    )
    .addHelpText('before', examples('DATABASE_URL=postgresql://... milepost insights rebuild'))
    .action(async () => (await load()).rebuildInsights(environment));
  program
    .command('doctor')
    .summary('check the installation')
    .description(
      'Checks Node, the settings, the database, the clock, the migrations, the database role, the queue, the workers, the ' +
        'checkpoints, and that the public URL is this installation. Changes nothing. Exits with code 1 if a check fails.',
    )
    .addHelpText(
      'before',
      examples('DATABASE_URL=postgresql://... milepost doctor', 'DATABASE_URL=postgresql://... milepost doctor --json'),
    )
    .option('--json', 'print one JSON document, for other programs')
    .action(async (options: DoctorOptions) => (await load()).doctor(options, environment));
  addAdmin(program, environment);
  addLint(program);
  return program;
}

function addAdmin(program: Command, environment: Environment): void {
  program
    .command('admin')
    .description('Commands for the operator of the server. They use its database.')
    .command('reset-password')
    .summary('set a new password for a user who cannot sign in')
    .description(
      'Generates a password and prints it, or reads one from standard input. It ends the sessions of the user, and the audit log shows the change. ' +
        'Run it on the server, with the same settings.',
    )
    .addHelpText(
      'before',
      examples(
        'DATABASE_URL=postgresql://... milepost admin reset-password admin',
        'DATABASE_URL=postgresql://... milepost admin reset-password anna@example.org --password-stdin < new-password',
      ),
    )
    .argument('<user>', 'username or e-mail address')
    .option('--password-stdin', 'read the new password from standard input')
    .action(async (user: string, options: ResetOptions) => (await load()).resetPasswordOf(user, options, environment));
}

function addLint(program: Command): void {
  const add = (noun: 'workflow' | 'config', kind: string, example: string) =>
    program
      .command(noun)
      .description(`Commands for ${kind} files.`)
      .command('lint')
      .summary(`check ${kind} files without a server`)
      .description(
        `Reports every error and warning in ${kind} files with its line, column and code, and says what to write instead. An import ` +
          'rejects a file with errors. Exits with code 1 if a file has errors.',
      )
      .addHelpText('before', examples(`milepost ${noun} lint ${example}`, `milepost ${noun} lint --json ${example}`))
      .argument('<file...>', `${kind} files (YAML)`)
      .option('--json', 'print a JSON list, for other programs');
  add('workflow', 'workflow', 'brain_mri.yaml')
    .option('--config <file>', 'configuration file whose external systems the workflows can use')
    .action(async (files: string[], options: LintOptions) =>
      (await import('./lint.ts')).lintWorkflowFiles(files, options),
    );
  add('config', 'configuration', 'study.yaml').action(async (files: string[], options: LintOptions) =>
    (await import('./lint.ts')).lintConfigurationFiles(files, options),
  );
}

function addDev(program: Command, environment: Environment): void {
  program
    .command('dev')
    .summary('run everything on this machine, with an embedded PostgreSQL')
    .description(
      'Runs PostgreSQL, a server and a worker on this machine until Ctrl-C. The data is kept for the next start.',
    )
    .addHelpText(
      'before',
      examples('milepost dev --demo', 'milepost dev --port 8090', 'milepost dev --data ~/studies/pilot --no-open'),
    )
    .option('--demo', 'load an example study and simulate its activity')
    .option('--data <folder>', 'data folder (default: milepost-data, or milepost-demo with --demo)')
    .option('--port <number>', 'server port (overrides MILEPOST_PORT)', readPort)
    .option('--no-open', 'do not open a browser')
    .action(async ({ demo = false, data = demo ? 'milepost-demo' : 'milepost-data', ...options }: DevArguments) =>
      (await load()).dev({ ...options, demo, data }, environment),
    );
}

interface DevArguments {
  demo?: boolean;
  data?: string;
  port?: number;
  open: boolean;
}

function addProcesses(program: Command, environment: Environment): void {
  program
    .command('serve')
    .summary('run a server')
    .description('Serves the API and the web pages until SIGTERM or Ctrl-C. Run `milepost migrate` first.')
    .addHelpText('before', examples('DATABASE_URL=postgresql://... milepost serve'))
    .action(async () => (await load()).serve(environment));
  program
    .command('work')
    .summary('run a worker')
    .description('Runs callbacks until SIGTERM or Ctrl-C. You can run any number of workers, on any machine.')
    .addHelpText('before', examples('DATABASE_URL=postgresql://... milepost work'))
    .action(async () => (await load()).work(environment));
  program
    .command('migrate')
    .summary('create or upgrade the database tables')
    .description(
      'Creates or upgrades the tables as the role in MILEPOST_OWNER_DATABASE_URL, and grants the role in DATABASE_URL its ' +
        'permissions. You cannot undo a migration.',
    )
    .addHelpText(
      'before',
      examples('DATABASE_URL=postgresql://... MILEPOST_OWNER_DATABASE_URL=postgresql://... milepost migrate'),
    )
    .action(async () => (await load()).migrate(environment));
}

function addHistory(program: Command, environment: Environment): void {
  program
    .command('export-history')
    .summary('export the history to a file')
    .description('Exports the history with its checkpoints, personal values and keys to a new JSON Lines file.')
    .addHelpText('before', examples('DATABASE_URL=postgresql://... milepost export-history history.ndjson'))
    .argument('<file>', 'file to create (must not exist)')
    .action(async (file: string) => (await load()).exportHistory(file, environment));
  program
    .command('verify')
    .summary('verify that the history is unchanged')
    .description(
      'Verifies an exported history with the public key, or the history in the database if you give no file. Reports the ' +
        'first entry that was changed. Exits with code 1 if the verification fails, and with 2 if the history cannot be read.',
    )
    .addHelpText(
      'before',
      examples(
        'milepost verify history.ndjson --public-key checkpoint-key.pub.pem',
        'milepost verify history.ndjson --public-key old.pub.pem --public-key new.pub.pem --checkpoint 1204:5e1f...',
      ),
    )
    .argument('[file]', 'exported history')
    .requiredOption(
      '--public-key <file>',
      'PEM file with a public key that verifies checkpoints (repeatable)',
      collectFile,
    )
    .option('--checkpoint <number:hash>', 'saved checkpoint that must still exist (repeatable)', collectCheckpoint)
    .option('--allow-unsigned', 'accept a history without any checkpoint')
    .action(async (file: string | undefined, options: VerifyOptions) =>
      (await load()).verify(file, toKnown(options), environment),
    );
}

interface VerifyOptions {
  publicKey: string[];
  checkpoint?: SavedCheckpoint[];
  allowUnsigned?: boolean;
}

type SavedCheckpoint = NonNullable<Known['checkpoints']>[number];

const toKnown = ({ publicKey, checkpoint = [], allowUnsigned = false }: VerifyOptions): Known => ({
  publicKeys: publicKey,
  checkpoints: checkpoint,
  allowUnsigned,
});

const collectFile = (text: string, before: readonly string[] = []): string[] => [...before, text];

function collectCheckpoint(text: string, before: readonly SavedCheckpoint[] = []): SavedCheckpoint[] {
  const [, number, hash] = /^([1-9]\d{0,14}):([\da-f]{64})$/i.exec(text) ?? [];
  if (number === undefined || hash === undefined)
    throw new InvalidArgumentError('It must be NUMBER:HASH, with a hash of 64 hexadecimal digits.');
  return [...before, { number: Number(number), hash: hash.toLowerCase() }];
}

const examples = (...lines: string[]): string => `Examples:\n${lines.map((line) => `  ${line}\n`).join('')}`;

function readPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
  return Number(text);
}
