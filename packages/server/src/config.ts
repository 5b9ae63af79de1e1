/** Every setting, read and checked in this one file; all faults are reported at once and say what to do. */
import { isLoopback } from './config/loopback.ts';
import { oidcFaults, oidcSettings, shapeOidc } from './config/oidc.ts';
import { allowedTargets, file, folder, mailServer, programs } from './config/outside.ts';
import {
  addresses,
  basePath,
  emptyOr,
  fitting,
  oneOf,
  postgresUrl,
  text,
  user,
  webOrigin,
  wholeNumber,
} from './config/readers.ts';
import {
  given,
  isSecret,
  namesSecretFile,
  refuseGuessable,
  secretsGiven,
  SettingsError,
  type Environment,
} from './config/secrets.ts';
import { suggestion } from './nearest-name.ts';

interface Setting<T> {
  about: string;
  fallback: string | undefined;
  /** Returns the value, or throws a sentence that says what would be right. */
  read: (text: string) => T;
}

const setting = <T>(about: string, fallback: string | undefined, read: (text: string) => T): Setting<T> => ({
  about,
  fallback,
  read,
});

export const settings = {
  DATABASE_URL: setting('Where the server connects, as the application role.', undefined, postgresUrl),
  MILEPOST_HOST: setting('The address to listen on.', '127.0.0.1', text),
  MILEPOST_PORT: setting('The port to listen on; 0 takes a free one.', '8080', wholeNumber(0, 65_535)),
  MILEPOST_PUBLIC_URL: setting(
    'How people and systems reach this server. Needed when it listens beyond this machine.',
    '',
    emptyOr(webOrigin),
  ),
  MILEPOST_BASE_PATH: setting('Where the interface begins.', '/api/v2', basePath),
  MILEPOST_WEB_DIR: setting('The folder of the web pages; without it the one that came along.', '', folder),
  MILEPOST_METRICS_HOST: setting('The address for /metrics.', '127.0.0.1', text),
  MILEPOST_METRICS_PORT: setting('The port for /metrics; 0 takes a free one.', '9464', wholeNumber(0, 65_535)),
  MILEPOST_LOG_LEVEL: setting(
    'How much is logged.',
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
  MILEPOST_TRUSTED_PROXIES: setting(
    'Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed, separated by commas.',
    '',
    addresses,
  ),
  MILEPOST_SIGN_IN_FAILURES: setting(
    'How many sign-ins to one account from one address may fail within 15 minutes.',
    '10',
    wholeNumber(1, 1_000_000),
  ),
  MILEPOST_LEAVE_SECONDS: setting(
    'How long a server that is asked to end still answers, while /-/ready sends balancers elsewhere.',
    '0',
    wholeNumber(0, 60),
  ),
  MILEPOST_POOL_SIZE: setting('Database connections for requests.', '10', wholeNumber(1, 500)),
  MILEPOST_STREAM_POOL_SIZE: setting('Database connections for long lists.', '4', wholeNumber(1, 100)),
  MILEPOST_STREAM_PAUSE_SECONDS: setting(
    'How long the reader of a long list may take nothing before it is given up.',
    '30',
    wholeNumber(1, 3600),
  ),
  MILEPOST_ADMIN_USERNAME: setting('The first account, made when there is none.', 'admin', fitting(user.username)),
  MILEPOST_ADMIN_EMAIL: setting("The first account's e-mail.", 'admin@localhost', fitting(user.email)),
  MILEPOST_ADMIN_PASSWORD: setting(
    "The first account's password. Without it one is generated and printed once.",
    '',
    text,
  ),
  ...oidcSettings,
  MILEPOST_WORKER_SLOTS: setting('How many callbacks a worker runs at the same time.', '20', wholeNumber(1, 1000)),
  MILEPOST_WORKER_METRICS_PORT: setting(
    "The port for a worker's /metrics; 0 takes a free one.",
    '9465',
    wholeNumber(0, 65_535),
  ),
  MILEPOST_OUTGOING_ALLOW: setting(
    'What callbacks may connect to: scheme, host and port of each, separated by commas.',
    '',
    allowedTargets,
  ),
  MILEPOST_COMMANDS: setting(
    'Programs that callbacks may run: name=/absolute/path, separated by commas.',
    '',
    programs,
  ),
  MILEPOST_TASK_FOLDER: setting('The folder with the task bases of create_task.', '', folder),
  MILEPOST_SMTP_URL: setting('The server through which mail is sent.', '', mailServer),
  MILEPOST_MAIL_FROM: setting('The sender of mail. Needed with MILEPOST_SMTP_URL.', '', emptyOr(fitting(user.email))),
  MILEPOST_MAIL_TO: setting('Who gets mail that names nobody.', '', emptyOr(fitting(user.email))),
  MILEPOST_CHECKPOINT_KEY_FILE: setting(
    'The file with the Ed25519 key that signs checkpoints of the history; without it none are made.',
    '',
    file,
  ),
  MILEPOST_KEEP_EVENTS_DAYS: setting('How many days events are kept.', '14', wholeNumber(1, 3650)),
  MILEPOST_KEEP_LOGS_DAYS: setting(
    'How many days after its end the logs of an execution are kept; 0 keeps them for good.',
    '365',
    wholeNumber(0, 36_500),
  ),
  MILEPOST_KEEP_SESSIONS_DAYS: setting('How many days sessions are kept that are over.', '1', wholeNumber(1, 3650)),
  MILEPOST_UNSAFE_DATABASE_ROLE: setting(
    'For development only: "allow" serves with a database role that could rewrite history.',
    'refuse',
    oneOf('refuse', 'allow'),
  ),
} as const;

type SettingName = keyof typeof settings;
type Values = { [N in SettingName]: ReturnType<(typeof settings)[N]['read']> };

export { SettingsError, type Environment } from './config/secrets.ts';
export type Config = ReturnType<typeof readConfig>;

export function readConfig(environment: Environment) {
  const faults: string[] = [];
  const values = readValues(environment, faults);
  if (values.MILEPOST_PUBLIC_URL === '' && !isLoopback(values.MILEPOST_HOST)) {
    faults.push(
      `MILEPOST_HOST is ${values.MILEPOST_HOST}, which others can reach: set MILEPOST_PUBLIC_URL to the address they use.`,
    );
  }
  if (values.MILEPOST_SMTP_URL && values.MILEPOST_MAIL_FROM === '') {
    faults.push('MILEPOST_SMTP_URL is set: set MILEPOST_MAIL_FROM to the address that mail comes from.');
  }
  faults.push(...oidcFaults(values, values.MILEPOST_PUBLIC_URL));
  if (faults.length > 0)
    throw new SettingsError(`The settings need attention:\n${faults.map((f) => `  - ${f}`).join('\n')}`);
  return { ...shape(values), secrets: secretsGiven(environment, Object.keys(settings)) };
}

const ownerSetting = 'MILEPOST_OWNER_DATABASE_URL';

/** Migrations sign in as the owner of the tables, and grant the application's role its rights. */
export function readMigrationSettings(environment: Environment) {
  const [ownerUrl, databaseUrl] = [given(environment, ownerSetting), given(environment, 'DATABASE_URL')];
  if (ownerUrl === undefined || databaseUrl === undefined) {
    throw new SettingsError(
      `Set ${ownerSetting} to the address of the database as its owner, and DATABASE_URL to the address that the server uses.`,
    );
  }
  for (const [name, value] of Object.entries({ [ownerSetting]: ownerUrl, DATABASE_URL: databaseUrl })) {
    try {
      postgresUrl(value);
      refuseGuessable(name, value);
    } catch (error) {
      throw new SettingsError(`${name} is "(hidden)": ${(error as Error).message}.`);
    }
  }
  return { ownerUrl, appRole: decodeURIComponent(new URL(databaseUrl).username) };
}

function readValues(environment: Environment, faults: string[]): Values {
  const names = Object.keys(settings) as SettingName[];
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('MILEPOST_') || name.startsWith('MILEPOST_TEST_') || isKnown(name, names)) continue;
    faults.push(`${name} is not a setting: ${suggestion(name, names)}`);
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
  if (value === undefined) throw new SettingsError(`${name} is not set. ${about}`);
  try {
    const meant = read(value);
    refuseGuessable(name, value);
    return meant;
  } catch (error) {
    throw new SettingsError(`${name} is "${mask(name, value)}": ${(error as Error).message}.`);
  }
}

const isKnown = (name: string, names: readonly string[]) =>
  name === ownerSetting || names.includes(name) || namesSecretFile(name);

/** What must not stand in a message: passwords, also inside addresses. */
const mask = (name: SettingName, value: string) =>
  isSecret(name) ? '(hidden)' : value.replace(/\/\/[^/@]*@/, '//(hidden)@');

/** What is right, and perhaps not what was meant: for the log, once, at the start. */
const remarksOn = (values: Values): string[] =>
  values.MILEPOST_SMTP_URL && values.MILEPOST_PUBLIC_URL === ''
    ? [
        'MILEPOST_SMTP_URL is set without MILEPOST_PUBLIC_URL: callbacks send mail, and nobody gets a link to a new password',
      ]
    : [];

function shape(values: Values) {
  return {
    databaseUrl: values.DATABASE_URL,
    poolSize: values.MILEPOST_POOL_SIZE,
    streamPoolSize: values.MILEPOST_STREAM_POOL_SIZE,
    streamPauseSeconds: values.MILEPOST_STREAM_PAUSE_SECONDS,
    unsafeDatabaseRole: values.MILEPOST_UNSAFE_DATABASE_ROLE === 'allow',
    host: values.MILEPOST_HOST,
    port: values.MILEPOST_PORT,
    /** Undefined: the address that the server listens on, which only this machine can reach. */
    publicUrl: values.MILEPOST_PUBLIC_URL || undefined,
    basePath: values.MILEPOST_BASE_PATH,
    /** Undefined: the folder that came along, if there is one. */
    webFolder: values.MILEPOST_WEB_DIR,
    metrics: { host: values.MILEPOST_METRICS_HOST, port: values.MILEPOST_METRICS_PORT },
    logLevel: values.MILEPOST_LOG_LEVEL,
    trustedProxies: values.MILEPOST_TRUSTED_PROXIES,
    signInFailures: values.MILEPOST_SIGN_IN_FAILURES,
    leaveSeconds: values.MILEPOST_LEAVE_SECONDS,
    /** Undefined: no checkpoints are made here. */
    checkpointKeyFile: values.MILEPOST_CHECKPOINT_KEY_FILE,
    worker: {
      slots: values.MILEPOST_WORKER_SLOTS,
      metrics: { host: values.MILEPOST_METRICS_HOST, port: values.MILEPOST_WORKER_METRICS_PORT },
    },
    keepDays: {
      events: values.MILEPOST_KEEP_EVENTS_DAYS,
      logs: values.MILEPOST_KEEP_LOGS_DAYS,
      sessions: values.MILEPOST_KEEP_SESSIONS_DAYS,
    },
    outside: {
      allow: values.MILEPOST_OUTGOING_ALLOW,
      commands: values.MILEPOST_COMMANDS,
      taskFolder: values.MILEPOST_TASK_FOLDER,
      mail: values.MILEPOST_SMTP_URL && {
        server: values.MILEPOST_SMTP_URL,
        from: values.MILEPOST_MAIL_FROM,
        /** Empty: mail that names nobody goes nowhere. */
        to: values.MILEPOST_MAIL_TO,
      },
    },
    /** Where links to new passwords lead. Undefined: none are sent, for want of mail or of an address that others can reach. */
    resetLinksAt: (values.MILEPOST_SMTP_URL && values.MILEPOST_PUBLIC_URL) || undefined,
    remarks: remarksOn(values),
    oidc: shapeOidc(values),
    firstAdmin: {
      username: values.MILEPOST_ADMIN_USERNAME,
      email: values.MILEPOST_ADMIN_EMAIL,
      password: values.MILEPOST_ADMIN_PASSWORD,
    },
  };
}
