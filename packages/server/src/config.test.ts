import { describe, expect, it } from 'vitest';
import { readConfig, readMigrationSettings, settings, SettingsError, type Environment } from './config.ts';

const databaseUrl = 'postgresql://app:s3cret-of-mine@db.example.org:5432/milepost';
const read = (environment: Environment = {}) => readConfig({ DATABASE_URL: databaseUrl, ...environment });
const complaint = (environment: Environment): string => {
  try {
    read(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  throw new Error('the settings were accepted');
};

describe('settings', () => {
  it('need only DATABASE_URL; everything else has a value', () => {
    expect(read()).toMatchObject({
      databaseUrl,
      host: '127.0.0.1',
      port: 8080,
      publicUrl: undefined,
      basePath: '/api/v2',
      metrics: { host: '127.0.0.1', port: 9464 },
      logLevel: 'info',
      trustedProxies: [],
      unsafeDatabaseRole: false,
      keepDays: { events: 14, logs: 365, sessions: 1 },
      outside: { allow: [], commands: new Map(), taskFolder: undefined, mail: undefined },
      firstAdmin: { username: 'admin', email: 'admin@localhost', password: '' },
    });
  });

  it('remark that mail without a public address brings nobody a link to a new password', () => {
    const mail = { MILEPOST_SMTP_URL: 'smtp://mail.example.org', MILEPOST_MAIL_FROM: 'a@b.example' };
    const there = { MILEPOST_PUBLIC_URL: 'https://milepost.example.org' };
    const of = ({ resetLinksAt, remarks }: ReturnType<typeof read>) => [resetLinksAt, remarks.length];
    expect([{}, mail, there].map((given) => of(read(given)))).toEqual([
      [undefined, 0],
      [undefined, 1],
      [undefined, 0],
    ]);
    expect(of(read({ ...mail, ...there }))).toEqual(['https://milepost.example.org', 0]);
  });

  it('are taken as they are given', () => {
    const given = {
      MILEPOST_HOST: '0.0.0.0',
      MILEPOST_PORT: '0',
      MILEPOST_PUBLIC_URL: 'https://milepost.example.org/study/',
      MILEPOST_BASE_PATH: '/m/api',
      MILEPOST_TRUSTED_PROXIES: '10.0.0.0/8, ::1,',
      MILEPOST_UNSAFE_DATABASE_ROLE: 'allow',
    };
    expect(read(given)).toMatchObject({
      host: '0.0.0.0',
      port: 0,
      publicUrl: 'https://milepost.example.org/study',
      basePath: '/m/api',
      trustedProxies: ['10.0.0.0/8', '::1'],
      unsafeDatabaseRole: true,
    });
  });

  it('about the outside are read', () => {
    const { outside } = read({
      MILEPOST_OUTGOING_ALLOW: 'https://xnat.example.org, http://10.1.2.3:*,',
      MILEPOST_COMMANDS: 'check.py=/opt/study/check.py, to_nifti = /opt/my programs/dcm2niix',
      MILEPOST_TASK_FOLDER: '/srv/tasks',
      MILEPOST_SMTP_URL: 'smtps://a%40b:s3cret%2Fof%2Fmine@mail.example.org',
      MILEPOST_MAIL_FROM: 'milepost@example.org',
      MILEPOST_MAIL_TO: 'team@example.org',
    });
    expect(outside).toEqual({
      allow: [
        { scheme: 'https', host: 'xnat.example.org', port: 443 },
        { scheme: 'http', host: '10.1.2.3', port: '*' },
      ],
      commands: new Map([
        ['check.py', '/opt/study/check.py'],
        ['to_nifti', '/opt/my programs/dcm2niix'],
      ]),
      taskFolder: '/srv/tasks',
      mail: {
        server: { secure: true, host: 'mail.example.org', port: 465, user: 'a@b', password: 's3cret/of/mine' },
        from: 'milepost@example.org',
        to: 'team@example.org',
      },
    });
  });

  it.each([
    ['smtp://mail.example.org', { secure: false, host: 'mail.example.org', port: 587 }],
    ['smtp://[::1]:25/', { secure: false, host: '::1', port: 25 }],
  ])('MILEPOST_SMTP_URL=%s is read', (url, server) => {
    const { mail } = read({ MILEPOST_SMTP_URL: url, MILEPOST_MAIL_FROM: 'a@b.example' }).outside;
    expect(mail?.server).toEqual({ ...server, user: '', password: '' });
  });

  it.each(Object.entries(settings))('%s says in a sentence what it is about', (_name, { about }) => {
    expect(about).toMatch(/^[A-Z].+\.$/);
  });
});

describe('a setting that is wrong', () => {
  it.each([
    ['DATABASE_URL', 'mysql://x', 'postgresql://'],
    ['DATABASE_URL', 'localhost', 'postgresql://'],
    ['MILEPOST_PORT', '80a', 'a whole number from 0 to 65535'],
    ['MILEPOST_PORT', '65536', 'a whole number from 0 to 65535'],
    ['MILEPOST_PORT', '-1', 'a whole number'],
    ['MILEPOST_PORT', '', 'a whole number'],
    ['MILEPOST_POOL_SIZE', '0', 'a whole number from 1 to 500'],
    ['MILEPOST_KEEP_EVENTS_DAYS', '0', 'a whole number from 1 to 3650'],
    ['MILEPOST_KEEP_LOGS_DAYS', '1y', 'a whole number from 0 to 36500'],
    ['MILEPOST_KEEP_SESSIONS_DAYS', '-1', 'a whole number from 1 to 3650'],
    ['MILEPOST_LOG_LEVEL', 'loud', 'fatal, error, warn, info'],
    ['MILEPOST_BASE_PATH', 'api', 'a path such as /api/v2'],
    ['MILEPOST_BASE_PATH', '/api/', 'a path such as /api/v2'],
    ['MILEPOST_PUBLIC_URL', 'milepost.example.org', 'an address such as https://milepost.example.org'],
    ['MILEPOST_PUBLIC_URL', 'ftp://example.org', 'an address such as https://milepost.example.org'],
    ['MILEPOST_PUBLIC_URL', 'https://example.org?x=1', 'only scheme, host, port and path'],
    ['MILEPOST_TRUSTED_PROXIES', '10.0.0.1, proxy', '"proxy" is not an IP address'],
    ['MILEPOST_TRUSTED_PROXIES', '10.0.0.5, 0.0.0.0/0', '"0.0.0.0/0" is everybody'],
    ['MILEPOST_TRUSTED_PROXIES', '::/00', '"::/00" is everybody'],
    ['MILEPOST_TRUSTED_PROXIES', '::ffff:0.0.0.0/96', '"::ffff:0.0.0.0/96" is everybody'],
    ['MILEPOST_UNSAFE_DATABASE_ROLE', 'yes', 'refuse, allow'],
    ['MILEPOST_ADMIN_EMAIL', 'foo', 'it must be an e-mail address such as name@example.org'],
    ['MILEPOST_ADMIN_EMAIL', '', 'it must have at least 3 characters'],
    ['MILEPOST_ADMIN_USERNAME', 'a:b', 'it must have no control characters'],
    ['MILEPOST_ADMIN_USERNAME', '', 'it must not be empty'],
    ['MILEPOST_OUTGOING_ALLOW', 'xnat.example.org', '"xnat.example.org" is not an address such as'],
    ['MILEPOST_OUTGOING_ALLOW', 'http://a, http://b/path', '"http://b/path" must end after the port'],
    ['MILEPOST_OUTGOING_ALLOW', '*', 'is not an address such as'],
    ['MILEPOST_COMMANDS', 'check=bin/check', 'a name and an absolute path'],
    ['MILEPOST_COMMANDS', '/usr/bin/env', 'a name and an absolute path'],
    ['MILEPOST_COMMANDS', 'a=/b, a=/c', 'the name "a" stands for two programs'],
    ['MILEPOST_TASK_FOLDER', 'tasks', 'an absolute path such as'],
    ['MILEPOST_SMTP_URL', 'mail.example.org', 'an address such as smtp://mail.example.org:25'],
    ['MILEPOST_SMTP_URL', 'http://mail.example.org', 'an address such as smtp://'],
    ['MILEPOST_SMTP_URL', 'smtp://', 'an address such as smtp://'],
    ['MILEPOST_SMTP_URL', 'smtp://mail.example.org?tls=no', 'an address such as smtp://'],
    ['MILEPOST_SMTP_URL', 'smtp://mail.example.org', 'set MILEPOST_MAIL_FROM'],
    ['MILEPOST_MAIL_FROM', 'nobody', 'it must be an e-mail address'],
    ['MILEPOST_MAIL_TO', 'a@b.example, c@d.example', 'it must be an e-mail address'],
  ])('%s=%s is named, with what would be right', (name, value, wanted) => {
    const message = complaint({ [name]: value });
    expect(message).toContain(`- ${name} is `);
    expect(message).toContain(wanted);
  });

  it('is told together with all others', () => {
    const message = complaint({
      DATABASE_URL: undefined,
      MILEPOST_PORT: 'x',
      MILEPOST_LOG_LEVEL: 'y',
      MILEPOST_X: 'z',
    });
    expect(message.split('\n')).toHaveLength(5);
    expect(message).toContain('- DATABASE_URL is not set. Where the server connects');
  });

  it('by its name suggests the name that was probably meant', () => {
    expect(complaint({ MILEPOST_PROT: '1' })).toContain(
      'MILEPOST_PROT is not a setting: did you mean "MILEPOST_PORT"?',
    );
    expect(complaint({ MILEPOST_SOMETHING_ELSE: '1' })).toContain('known are: DATABASE_URL, MILEPOST_HOST');
  });

  it('is not what other programs are told', () => {
    const others = { MILEPOST_TEST_DATABASE_URL: 'x', MILEPOST_OWNER_DATABASE_URL: 'x', PATH: '/bin', MILEPOSTS: '1' };
    expect(read(others).port).toBe(8080);
  });
});

describe('MILEPOST_PUBLIC_URL', () => {
  it.each(['0.0.0.0', '::', '192.168.1.5', 'milepost', ''])('is needed to listen on %j', (host) => {
    const message = complaint({ MILEPOST_HOST: host });
    expect(message).toContain('MILEPOST_HOST');
    expect(message).toContain('set MILEPOST_PUBLIC_URL');
    expect(read({ MILEPOST_HOST: host, MILEPOST_PUBLIC_URL: 'https://m.example.org' }).host).toBe(host);
  });

  it.each(['localhost', '127.0.0.1', '127.0.0.2', '::1'])('is not needed to listen on %s', (host) => {
    expect(read({ MILEPOST_HOST: host }).host).toBe(host);
  });
});

describe('a secret', () => {
  it('is in no message', () => {
    const message = complaint({
      DATABASE_URL: 'mysql://app:s3cret-of-mine@db',
      MILEPOST_ADMIN_PASSWORD: 's3cret-of-mine',
      MILEPOST_ADMIN_PASSWROD: 's3cret-of-mine',
      MILEPOST_PORT: 'x',
    });
    expect(message).toContain('DATABASE_URL is "(hidden)"');
    expect(message).toContain('did you mean "MILEPOST_ADMIN_PASSWORD"?');
    expect(message).not.toContain('s3cret');
  });

  it('is in no message, also where it stands in MILEPOST_SMTP_URL', () => {
    expect(complaint({ MILEPOST_SMTP_URL: 'smtp:me:s3cret-of-mine@mail' })).not.toContain('s3cret');
  });

  it('is in no message, also where it stands in MILEPOST_PUBLIC_URL', () => {
    expect(complaint({ MILEPOST_PUBLIC_URL: 'https://me:s3cret-of-mine@example.org' })).not.toContain('s3cret');
  });
});

describe('readMigrationSettings', () => {
  it('reads the owner and the role of the application', () => {
    const MILEPOST_OWNER_DATABASE_URL = 'postgresql://owner@db/milepost';
    expect(
      readMigrationSettings({ DATABASE_URL: 'postgres://an%20app:s3cret-of-mine@db/m', MILEPOST_OWNER_DATABASE_URL }),
    ).toEqual({
      ownerUrl: MILEPOST_OWNER_DATABASE_URL,
      appRole: 'an app',
    });
  });

  it.each([{}, { DATABASE_URL: databaseUrl }, { MILEPOST_OWNER_DATABASE_URL: databaseUrl }])(
    'of which one is missing says which two are needed',
    (environment) => {
      expect(() => readMigrationSettings(environment)).toThrow(/Set MILEPOST_OWNER_DATABASE_URL .* and DATABASE_URL/);
    },
  );

  it.each(['DATABASE_URL', 'MILEPOST_OWNER_DATABASE_URL'])('of which %s is no address names it', (name) => {
    const right = { DATABASE_URL: databaseUrl, MILEPOST_OWNER_DATABASE_URL: databaseUrl };
    expect(() => readMigrationSettings({ ...right, [name]: 'nowhere' })).toThrow(new RegExp(`${name} is`));
  });
});

describe('MILEPOST_TRUSTED_PROXIES', () => {
  it('with a network that no address has is refused', () => {
    expect(complaint({ MILEPOST_TRUSTED_PROXIES: '10.0.0.0/99' })).toContain('MILEPOST_TRUSTED_PROXIES');
  });
});
