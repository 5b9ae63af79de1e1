/** Every setting, read and checked in this one file; all faults are reported at once and say what to do. */
import { isIP } from 'node:net';
import { peopleOperations } from '@milepost/api';
import type { TSchema } from 'typebox';
import { allowedTargets, file, folder, listed, mailServer, programs } from './config/outside.ts';
import { suggestion } from './nearest-name.ts';
import { faultFinder } from './validation/validate.ts';

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

const wholeNumber = (min: number, max: number) => (text: string) => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw new Error(`a whole number from ${min} to ${max} is needed`);
  return value;
};

const oneOf =
  <const T extends string>(...allowed: T[]) =>
  (text: string): T => {
    const found = allowed.find((value) => value === text);
    if (found === undefined) throw new Error(`one of these is needed: ${allowed.join(', ')}`);
    return found;
  };

const text = (value: string) => value;

const user = peopleOperations.createUser.body.properties;

/** What the operation that makes accounts would take. */
const fitting = (schema: TSchema) => {
  const find = faultFinder(schema);
  return (value: string) => {
    const [fault] = find(value);
    if (fault) throw new Error(fault.detail.replace(/^The body /, 'it ').replace(/\.$/, ''));
    return value;
  };
};

function postgresUrl(value: string): string {
  if (!/^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? '')) {
    throw new Error('an address such as postgresql://milepost_app:secret@localhost:5432/milepost is needed');
  }
  return value;
}

function webOrigin(value: string): string {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error('an address such as https://milepost.example.org is needed');
  if (url.search || url.hash || url.username) throw new Error('only scheme, host, port and path are allowed');
  return value.replace(/\/+$/, '');
}

function basePath(value: string): string {
  if (!/^(\/[A-Za-z0-9_-]+)+$/.test(value)) throw new Error('a path such as /api/v2 is needed');
  return value;
}

/** `10.0.0.1` or `10.0.0.0/8`. */
function isNetwork(value: string): boolean {
  const [address = '', bits] = value.split('/', 2);
  const version = isIP(address);
  return (
    version !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  );
}

const emptyOr =
  (read: (text: string) => string) =>
  (value: string): string =>
    value === '' ? '' : read(value);

function addresses(value: string): string[] {
  const list = listed(value);
  const wrong = list.find((part) => !isNetwork(part));
  if (wrong !== undefined) throw new Error(`"${wrong}" is not an IP address or network such as 10.0.0.0/8`);
  return list;
}

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
  MILEPOST_SMTP_URL: setting('The server through which callbacks send mail.', '', mailServer),
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

export class SettingsError extends Error {
  override name = 'SettingsError';
}

export type Environment = Readonly<Record<string, string | undefined>>;
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
  if (faults.length > 0)
    throw new SettingsError(`The settings need attention:\n${faults.map((f) => `  - ${f}`).join('\n')}`);
  return shape(values);
}

const ownerSetting = 'MILEPOST_OWNER_DATABASE_URL';

/** Migrations sign in as the owner of the tables, and grant the application's role its rights. */
export function readMigrationSettings(environment: Environment) {
  const ownerUrl = environment[ownerSetting];
  const databaseUrl = environment['DATABASE_URL'];
  if (ownerUrl === undefined || databaseUrl === undefined) {
    throw new SettingsError(
      `Set ${ownerSetting} to the address of the database as its owner, and DATABASE_URL to the address that the server uses.`,
    );
  }
  for (const [name, value] of Object.entries({ [ownerSetting]: ownerUrl, DATABASE_URL: databaseUrl })) {
    try {
      postgresUrl(value);
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
  return Object.fromEntries(names.map((name) => [name, readOne(name, environment[name], faults)])) as Values;
}

function readOne(name: SettingName, given: string | undefined, faults: string[]): unknown {
  const { about, fallback, read } = settings[name];
  const value = given ?? fallback;
  if (value === undefined) {
    faults.push(`${name} is not set. ${about}`);
    return undefined;
  }
  try {
    return read(value);
  } catch (error) {
    faults.push(`${name} is "${mask(name, value)}": ${(error as Error).message}.`);
    return undefined;
  }
}

const isKnown = (name: string, names: readonly string[]) => name === ownerSetting || names.includes(name);

/** What must not stand in a message: passwords, also inside addresses. */
const mask = (name: SettingName, value: string) =>
  /PASSWORD|DATABASE_URL|SMTP_URL/.test(name) ? '(hidden)' : value.replace(/\/\/[^/@]*@/, '//(hidden)@');

export const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.');

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
    firstAdmin: {
      username: values.MILEPOST_ADMIN_USERNAME,
      email: values.MILEPOST_ADMIN_EMAIL,
      password: values.MILEPOST_ADMIN_PASSWORD,
    },
  };
}
