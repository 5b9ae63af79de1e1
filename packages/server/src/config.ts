/** Reads and checks all settings. Reports all errors together, each with what to do. */
import { keepSettings, shapeKeepDays } from './config/days-to-keep.ts';
import { isLoopback } from './config/loopback.ts';
import { ownerSetting } from './config/migration-settings.ts';
import { oidcFaults, oidcSettings, shapeOidc } from './config/oidc.ts';
import { allowedTargets, file, folder, mailServer, programs } from './config/integrations.ts';
import {
  addresses,
  basePath,
  emptyOr,
  hidePassword,
  matching,
  oneOf,
  postgresUrl,
  shortText,
  text,
  user,
  webOrigin,
  wholeNumber,
} from './config/readers.ts';
import {
  given,
  isSecret,
  namesSecretFile,
  rejectWeakSecret,
  secretsGiven,
  SettingsError,
  type Environment,
} from './config/secrets.ts';
import { shapeTracing, tracingFaults, tracingSettings } from './config/tracing.ts';
import { suggestion } from '@milepost/api';

interface Setting<T> {
  about: string;
  fallback: string | undefined;
  /** Returns the value, or throws an error that says what is valid. */
  read: (text: string) => T;
}

const setting = <T>(about: string, fallback: string | undefined, read: (text: string) => T): Setting<T> => ({
  about,
  fallback,
  read,
});

export const settings = {
  DATABASE_URL: setting('The database URL for the application role.', undefined, postgresUrl),
  MILEPOST_HOST: setting('The address to listen on.', '127.0.0.1', text),
  MILEPOST_PORT: setting('The port to listen on. 0 picks a free port.', '8080', wholeNumber(0, 65_535)),
  MILEPOST_PUBLIC_URL: setting(
    'The URL at which users and other systems reach the server. Required if MILEPOST_HOST is not a loopback address.',
    '',
    emptyOr(webOrigin),
  ),
  MILEPOST_BASE_PATH: setting('The base path of the API.', '/api/v2', basePath),
  MILEPOST_WEB_DIR: setting(
    'The folder with the web pages. If empty, the server uses the pages in the package.',
    '',
    folder,
  ),
  MILEPOST_METRICS_HOST: setting('The address for /metrics.', '127.0.0.1', text),
  MILEPOST_METRICS_PORT: setting(
    "The port for a server's /metrics. 0 picks a free port.",
    '9464',
    wholeNumber(0, 65_535),
  ),
  MILEPOST_LOG_LEVEL: setting(
    'The log level.',
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
  MILEPOST_TRUSTED_PROXIES: setting(
    'Proxies whose X-Forwarded-For and X-Forwarded-Proto headers are trusted, separated by commas.',
    '',
    addresses,
  ),
  MILEPOST_SIGN_IN_FAILURES: setting(
    'The number of sign-ins to one account from one address that can fail within 15 minutes.',
    '10',
    wholeNumber(1, 1_000_000),
  ),
  MILEPOST_LEAVE_SECONDS: setting(
    'The seconds for which a server keeps serving after it is asked to stop, while /-/ready returns 503.',
    '0',
    wholeNumber(0, 60),
  ),
  MILEPOST_POOL_SIZE: setting('Database connections for requests and jobs.', '10', wholeNumber(1, 500)),
  MILEPOST_RESULT_VALUES_BYTES: setting(
    'The largest result values of a run, in bytes of JSON.',
    '1048576',
    wholeNumber(1024, 8 * 1024 * 1024),
  ),
  MILEPOST_STATEMENT_SECONDS: setting(
    'The seconds after which a database statement is cancelled. Connecting can take 60 % of it, waiting for a lock 40 %.',
    '5',
    wholeNumber(1, 600),
  ),
  MILEPOST_STREAM_POOL_SIZE: setting(
    'Database connections for long lists and event streams.',
    '4',
    wholeNumber(1, 100),
  ),
  MILEPOST_STREAM_PAUSE_SECONDS: setting(
    'The seconds for which the client of a long list or an event stream can stop reading before the server closes the connection.',
    '30',
    wholeNumber(1, 3600),
  ),
  MILEPOST_ADMIN_USERNAME: setting('The username of the first account.', 'admin', matching(user.username)),
  MILEPOST_ADMIN_EMAIL: setting('The e-mail address of the first account.', 'admin@localhost', matching(user.email)),
  MILEPOST_ADMIN_PASSWORD: setting(
    'The password of the first account. If empty, one is generated, and printed once on a terminal or written to the file `first-password`.',
    '',
    text,
  ),
  MILEPOST_STUDY_NAME: setting(
    'The name of the study or institute, shown in the header of the web pages.',
    '',
    shortText(60),
  ),
  ...oidcSettings,
  MILEPOST_WORKER_SLOTS: setting(
    'The number of callbacks that a worker runs at the same time.',
    '20',
    wholeNumber(1, 1000),
  ),
  MILEPOST_RETRIES_PER_SECOND: setting(
    'The number of retries to one host that all workers together start in a second.',
    '10',
    wholeNumber(1, 1000),
  ),
  MILEPOST_BULK_PER_SECOND: setting(
    'The most experiments that each bulk operation changes in a second, and the most lines of a spreadsheet that each import writes. It does not limit their sum.',
    '500',
    wholeNumber(1, 100_000),
  ),
  MILEPOST_WORKER_METRICS_PORT: setting(
    "The port for a worker's /metrics. 0 picks a free port.",
    '9465',
    wholeNumber(0, 65_535),
  ),
  MILEPOST_OUTGOING_ALLOW: setting(
    'The servers that callbacks can connect to, as scheme, host and port, separated by commas.',
    '',
    allowedTargets,
  ),
  MILEPOST_COMMANDS: setting(
    'The programs that callbacks can run, as name=/absolute/path, separated by commas.',
    '',
    programs,
  ),
  MILEPOST_TASK_FOLDER: setting('The folder with the task templates for create_task.', '', folder),
  MILEPOST_SMTP_URL: setting('The mail server.', '', mailServer),
  MILEPOST_MAIL_FROM: setting(
    'The sender address. Required with MILEPOST_SMTP_URL.',
    '',
    emptyOr(matching(user.email)),
  ),
  MILEPOST_MAIL_TO: setting('The default recipient of callback mail.', '', emptyOr(matching(user.email))),
  MILEPOST_CHECKPOINT_KEY_FILE: setting(
    'The file with the Ed25519 key that signs checkpoints of the history. If empty, no checkpoints are written.',
    '',
    file,
  ),
  ...keepSettings,
  ...tracingSettings,
  MILEPOST_UNSAFE_DATABASE_ROLE: setting(
    'For development only: "allow" accepts a database role that could rewrite the history.',
    'refuse',
    oneOf('refuse', 'allow'),
  ),
} as const;

type SettingName = keyof typeof settings;
type Values = { [N in SettingName]: ReturnType<(typeof settings)[N]['read']> };

export { readMigrationSettings } from './config/migration-settings.ts';
export { SettingsError, type Environment } from './config/secrets.ts';
export type Config = ReturnType<typeof readConfig>;

export function readConfig(environment: Environment) {
  const faults: string[] = [];
  const values = readValues(environment, faults);
  if (values.MILEPOST_PUBLIC_URL === '' && !isLoopback(values.MILEPOST_HOST)) {
    faults.push(
      `MILEPOST_HOST is ${values.MILEPOST_HOST}, which is not a loopback address. Set MILEPOST_PUBLIC_URL to the URL that clients use.`,
    );
  }
  if (values.MILEPOST_SMTP_URL && values.MILEPOST_MAIL_FROM === '') {
    faults.push('MILEPOST_MAIL_FROM is required with MILEPOST_SMTP_URL. Set it to the sender address.');
  }
  faults.push(...oidcFaults(values, values.MILEPOST_PUBLIC_URL), ...tracingFaults(values));
  if (faults.length > 0) throw new SettingsError(`Invalid settings:\n${faults.map((f) => `  - ${f}`).join('\n')}`);
  return { ...shape(values), secrets: secretsGiven(environment, Object.keys(settings)) };
}

function readValues(environment: Environment, faults: string[]): Values {
  const names = Object.keys(settings) as SettingName[];
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('MILEPOST_') || name.startsWith('MILEPOST_TEST_') || isKnown(name, names)) continue;
    faults.push(`${name} is not a setting. ${suggestion(name, names)}`);
  }
  return Object.fromEntries(names.map((name) => [name, readOne(name, environment, faults)])) as Values;
}

function readOne(name: SettingName, environment: Environment, faults: string[]): unknown {
  try {
    return valueOf(name, environment);
  } catch (error) {
    faults.push((error as Error).message);
    return undefined;
  }
}

function valueOf(name: SettingName, environment: Environment): unknown {
  const { about, fallback, read } = settings[name];
  const value = given(environment, name) ?? fallback;
  if (value === undefined)
    throw new SettingsError(`${name} is required. Set it to ${about.charAt(0).toLowerCase()}${about.slice(1)}`);
  try {
    const result = read(value);
    rejectWeakSecret(name, value);
    return result;
  } catch (error) {
    throw new SettingsError(`${name} is "${mask(name, value)}": ${(error as Error).message}.`);
  }
}

const isKnown = (name: string, names: readonly string[]) =>
  name === ownerSetting || names.includes(name) || namesSecretFile(name);

const mask = (name: SettingName, value: string) => (isSecret(name) ? '(hidden)' : hidePassword(value));

/** Valid settings that may be a mistake. They are logged once, at startup. */
const remarksOn = (values: Values): string[] =>
  values.MILEPOST_SMTP_URL && values.MILEPOST_PUBLIC_URL === ''
    ? ['Callbacks send mail, but no password reset links are sent. Set MILEPOST_PUBLIC_URL to send them.']
    : [];

function shape(values: Values) {
  return {
    databaseUrl: values.DATABASE_URL,
    poolSize: values.MILEPOST_POOL_SIZE,
    statementSeconds: values.MILEPOST_STATEMENT_SECONDS,
    streamPoolSize: values.MILEPOST_STREAM_POOL_SIZE,
    maxValuesBytes: values.MILEPOST_RESULT_VALUES_BYTES,
    streamPauseSeconds: values.MILEPOST_STREAM_PAUSE_SECONDS,
    unsafeDatabaseRole: values.MILEPOST_UNSAFE_DATABASE_ROLE === 'allow',
    host: values.MILEPOST_HOST,
    port: values.MILEPOST_PORT,
    /** If undefined, the server uses the loopback address that it listens on. */
    publicUrl: values.MILEPOST_PUBLIC_URL || undefined,
    basePath: values.MILEPOST_BASE_PATH,
    /** If undefined, the server has no web pages. */
    webFolder: values.MILEPOST_WEB_DIR,
    metrics: { host: values.MILEPOST_METRICS_HOST, port: values.MILEPOST_METRICS_PORT },
    logLevel: values.MILEPOST_LOG_LEVEL,
    trustedProxies: values.MILEPOST_TRUSTED_PROXIES,
    signInFailures: values.MILEPOST_SIGN_IN_FAILURES,
    leaveSeconds: values.MILEPOST_LEAVE_SECONDS,
    /** If undefined, the worker writes no checkpoints. */
    checkpointKeyFile: values.MILEPOST_CHECKPOINT_KEY_FILE,
    worker: {
      slots: values.MILEPOST_WORKER_SLOTS,
      retriesPerSecond: values.MILEPOST_RETRIES_PER_SECOND,
      metrics: { host: values.MILEPOST_METRICS_HOST, port: values.MILEPOST_WORKER_METRICS_PORT },
    },
    studyName: values.MILEPOST_STUDY_NAME,
    bulkPerSecond: values.MILEPOST_BULK_PER_SECOND,
    keepDays: shapeKeepDays(values),
    integrations: {
      allow: values.MILEPOST_OUTGOING_ALLOW,
      commands: values.MILEPOST_COMMANDS,
      taskFolder: values.MILEPOST_TASK_FOLDER,
      mail: values.MILEPOST_SMTP_URL && {
        server: values.MILEPOST_SMTP_URL,
        from: values.MILEPOST_MAIL_FROM,
        /** If empty, callback mail must name a recipient. */
        to: values.MILEPOST_MAIL_TO,
      },
    },
    /** The base URL of password reset links. Without a mail server or a public URL it is undefined, and no links are sent. */
    resetLinksAt: (values.MILEPOST_SMTP_URL && values.MILEPOST_PUBLIC_URL) || undefined,
    remarks: remarksOn(values),
    oidc: shapeOidc(values),
    /** If undefined, no traces are sent. */
    tracing: shapeTracing(values),
    firstAdmin: {
      username: values.MILEPOST_ADMIN_USERNAME,
      email: values.MILEPOST_ADMIN_EMAIL,
      password: values.MILEPOST_ADMIN_PASSWORD,
    },
  };
}
