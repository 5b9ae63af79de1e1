import { describe, expect, it } from 'vitest';
import { readConfig, readMigrationSettings, settings, SettingsError, type Environment } from './config.ts';

const databaseUrl = 'postgresql://app:s3cret-of-mine@db.example.org:5432/milepost';
const read = (environment: Environment = {}) => readConfig({ DATABASE_URL: databaseUrl, ...environment });
const errorOf = (environment: Environment): string => {
  try {
    read(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  throw new Error('the settings were accepted');
};

describe('settings', () => {
  it('have defaults, except for DATABASE_URL', () => {
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
      integrations: { allow: [], commands: new Map(), taskFolder: undefined, mail: undefined },
      firstAdmin: { username: 'admin', email: 'admin@localhost', password: '' },
    });
  });

  it('produce a remark if mail is configured without a public URL, which password reset links need', () => {
    const mail = { MILEPOST_SMTP_URL: 'smtp://mail.example.org', MILEPOST_MAIL_FROM: 'a@b.example' };
    const publicUrl = { MILEPOST_PUBLIC_URL: 'https://milepost.example.org' };
    const of = ({ resetLinksAt, remarks }: ReturnType<typeof read>) => [resetLinksAt, remarks.length];
    expect([{}, mail, publicUrl].map((given) => of(read(given)))).toEqual([
      [undefined, 0],
      [undefined, 1],
      [undefined, 0],
    ]);
    expect(of(read({ ...mail, ...publicUrl }))).toEqual(['https://milepost.example.org', 0]);
  });

  it('override the defaults', () => {
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

  it('define the allowed targets, commands, task folder and mail server of callbacks', () => {
    const { integrations } = read({
      MILEPOST_OUTGOING_ALLOW: 'https://xnat.example.org, http://10.1.2.3:*,',
      MILEPOST_COMMANDS: 'check.py=/opt/study/check.py, to_nifti = /opt/my programs/dcm2niix',
      MILEPOST_TASK_FOLDER: '/srv/tasks',
      MILEPOST_SMTP_URL: 'smtps://a%40b:s3cret%2Fof%2Fmine@mail.example.org',
      MILEPOST_MAIL_FROM: 'milepost@example.org',
      MILEPOST_MAIL_TO: 'team@example.org',
    });
    expect(integrations).toEqual({
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
  ])('accept MILEPOST_SMTP_URL=%s', (url, server) => {
    const { mail } = read({ MILEPOST_SMTP_URL: url, MILEPOST_MAIL_FROM: 'a@b.example' }).integrations;
    expect(mail?.server).toEqual({ ...server, user: '', password: '' });
  });
});

describe('the list of settings', () => {
  it.each(Object.entries(settings))('describes %s in full sentences', (_name, { about }) => {
    expect(about).toMatch(/^[A-Z].+\.$/);
  });
});

describe('readConfig', () => {
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
    ['MILEPOST_PUBLIC_URL', 'milepost.example.org', 'a URL such as https://milepost.example.org'],
    ['MILEPOST_PUBLIC_URL', 'ftp://example.org', 'a URL such as https://milepost.example.org'],
    ['MILEPOST_PUBLIC_URL', 'https://example.org?x=1', 'only a scheme, host, port and path'],
    ['MILEPOST_TRUSTED_PROXIES', '10.0.0.1, proxy', '"proxy" must be an IP address'],
    ['MILEPOST_TRUSTED_PROXIES', '10.0.0.5, 0.0.0.0/0', '"0.0.0.0/0" contains every address'],
    ['MILEPOST_TRUSTED_PROXIES', '::/00', '"::/00" contains every address'],
    ['MILEPOST_TRUSTED_PROXIES', '::ffff:0.0.0.0/96', '"::ffff:0.0.0.0/96" contains every address'],
    ['MILEPOST_UNSAFE_DATABASE_ROLE', 'yes', 'refuse, allow'],
    ['MILEPOST_ADMIN_EMAIL', 'foo', 'it must be an e-mail address such as name@example.org'],
    ['MILEPOST_ADMIN_EMAIL', '', 'it must have at least 3 characters'],
    ['MILEPOST_ADMIN_USERNAME', 'a:b', 'it must not contain colons or control characters'],
    ['MILEPOST_ADMIN_USERNAME', '', 'it must not be empty'],
    ['MILEPOST_OUTGOING_ALLOW', 'xnat.example.org', '"xnat.example.org" must be a URL such as'],
    ['MILEPOST_OUTGOING_ALLOW', 'http://a, http://b/path', '"http://b/path" must end after the host or port'],
    ['MILEPOST_OUTGOING_ALLOW', '*', 'must be a URL such as'],
    ['MILEPOST_COMMANDS', 'check=bin/check', 'a name and an absolute path'],
    ['MILEPOST_COMMANDS', '/usr/bin/env', 'a name and an absolute path'],
    ['MILEPOST_COMMANDS', 'a=/b, a=/c', 'the name "a" appears twice'],
    ['MILEPOST_TASK_FOLDER', 'tasks', 'an absolute path such as'],
    ['MILEPOST_SMTP_URL', 'mail.example.org', 'a URL such as smtp://mail.example.org:25'],
    ['MILEPOST_SMTP_URL', 'http://mail.example.org', 'a URL such as smtp://'],
    ['MILEPOST_SMTP_URL', 'smtp://', 'a URL such as smtp://'],
    ['MILEPOST_SMTP_URL', 'smtp://mail.example.org?tls=no', 'a URL such as smtp://'],
    ['MILEPOST_MAIL_FROM', 'nobody', 'it must be an e-mail address'],
    ['MILEPOST_MAIL_TO', 'a@b.example, c@d.example', 'it must be an e-mail address'],
  ])('rejects %s=%s and gives the reason', (name, value, expected) => {
    const message = errorOf({ [name]: value });
    expect(message).toContain(`- ${name} is `);
    expect(message).toContain(expected);
  });

  it('requires MILEPOST_MAIL_FROM if MILEPOST_SMTP_URL is set', () => {
    const message = errorOf({ MILEPOST_SMTP_URL: 'smtp://mail.example.org' });
    expect(message).toContain('- MILEPOST_MAIL_FROM is required with MILEPOST_SMTP_URL.');
  });

  it('reports all invalid settings in one error', () => {
    const message = errorOf({
      DATABASE_URL: undefined,
      MILEPOST_PORT: 'x',
      MILEPOST_LOG_LEVEL: 'y',
      MILEPOST_X: 'z',
    });
    expect(message.split('\n')).toHaveLength(5);
    expect(message).toContain('- DATABASE_URL is required. Set it to the database URL for the application role.');
  });

  it('suggests the closest setting for an unknown name, and lists the settings if none is close', () => {
    expect(errorOf({ MILEPOST_PROT: '1' })).toContain('MILEPOST_PROT is not a setting. Did you mean "MILEPOST_PORT"?');
    expect(errorOf({ MILEPOST_SOMETHING_ELSE: '1' })).toContain('Expected one of: DATABASE_URL, MILEPOST_HOST');
  });

  it('ignores the environment variables of tests, migrations and other programs', () => {
    const others = { MILEPOST_TEST_DATABASE_URL: 'x', MILEPOST_OWNER_DATABASE_URL: 'x', PATH: '/bin', MILEPOSTS: '1' };
    expect(read(others).port).toBe(8080);
  });
});

describe('MILEPOST_PUBLIC_URL', () => {
  it.each(['0.0.0.0', '::', '192.168.1.5', 'milepost', ''])('is required to listen on %j', (host) => {
    const message = errorOf({ MILEPOST_HOST: host });
    expect(message).toContain('MILEPOST_HOST');
    expect(message).toContain('Set MILEPOST_PUBLIC_URL');
    expect(read({ MILEPOST_HOST: host, MILEPOST_PUBLIC_URL: 'https://m.example.org' }).host).toBe(host);
  });

  it.each(['localhost', '127.0.0.1', '127.0.0.2', '::1'])('is not required to listen on %s', (host) => {
    expect(read({ MILEPOST_HOST: host }).host).toBe(host);
  });
});

describe('a secret', () => {
  it('is hidden in error messages', () => {
    const message = errorOf({
      DATABASE_URL: 'mysql://app:s3cret-of-mine@db',
      MILEPOST_ADMIN_PASSWORD: 's3cret-of-mine',
      MILEPOST_ADMIN_PASSWROD: 's3cret-of-mine',
      MILEPOST_PORT: 'x',
    });
    expect(message).toContain('DATABASE_URL is "(hidden)"');
    expect(message).toContain('Did you mean "MILEPOST_ADMIN_PASSWORD"?');
    expect(message).not.toContain('s3cret');
  });

  it('is hidden in error messages about MILEPOST_SMTP_URL', () => {
    expect(errorOf({ MILEPOST_SMTP_URL: 'smtp:me:s3cret-of-mine@mail' })).not.toContain('s3cret');
  });

  it('is hidden in error messages about MILEPOST_PUBLIC_URL', () => {
    expect(errorOf({ MILEPOST_PUBLIC_URL: 'https://me:s3cret-of-mine@example.org' })).not.toContain('s3cret');
  });
});

describe('readMigrationSettings', () => {
  it('reads the URL of the owner role and the name of the application role', () => {
    const MILEPOST_OWNER_DATABASE_URL = 'postgresql://owner@db/milepost';
    expect(
      readMigrationSettings({ DATABASE_URL: 'postgres://an%20app:s3cret-of-mine@db/m', MILEPOST_OWNER_DATABASE_URL }),
    ).toEqual({
      ownerUrl: MILEPOST_OWNER_DATABASE_URL,
      appRole: 'an app',
    });
  });

  it.each([{}, { DATABASE_URL: databaseUrl }, { MILEPOST_OWNER_DATABASE_URL: databaseUrl }])(
    'names both required settings for the incomplete environment %j',
    (environment) => {
      expect(() => readMigrationSettings(environment)).toThrow(/Set MILEPOST_OWNER_DATABASE_URL .* and DATABASE_URL/);
    },
  );

  it.each(['DATABASE_URL', 'MILEPOST_OWNER_DATABASE_URL'])(
    'throws an error that names %s if it is not a URL',
    (name) => {
      const right = { DATABASE_URL: databaseUrl, MILEPOST_OWNER_DATABASE_URL: databaseUrl };
      expect(() => readMigrationSettings({ ...right, [name]: 'nowhere' })).toThrow(new RegExp(`${name} is`));
    },
  );
});

describe('MILEPOST_TRUSTED_PROXIES', () => {
  it('rejects an invalid network', () => {
    expect(errorOf({ MILEPOST_TRUSTED_PROXIES: '10.0.0.0/99' })).toContain('MILEPOST_TRUSTED_PROXIES');
  });
});
