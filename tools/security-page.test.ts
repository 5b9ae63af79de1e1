/** The figures and names in docs/explanation/security.md match the code. */
import { readFileSync } from 'node:fs';
import { operations, permissions, type Operation } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { breachedCount } from '../packages/server/src/breached-passwords.ts';
import { settings } from '../packages/server/src/config.ts';
import { timeoutsFor } from '../packages/server/src/database/connection.ts';
import { commonWords, shortestPassword } from '../packages/server/src/passwords.ts';
import { fromRoot } from './printed-file.ts';

const read = (file: string) => readFileSync(fromRoot(file), 'utf8');
const page = read('docs/explanation/security.md');
const source = (file: string) => read(`packages/server/src/${file}`);

const section = (title: string): string => {
  const [, text] = page.split(`\n## ${title}\n`);
  if (text === undefined) throw new Error(`The page has no section "${title}".`);
  return (text.split('\n## ')[0] ?? '').replaceAll('\n', ' \n');
};
/** The cells of the tables in a section, without the header rows. */
const rowsOf = (title: string): string[][] =>
  section(title)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .trim()
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
const firstCells = (title: string) => rowsOf(title).map(([first = '']) => first);
const namesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
const plain = (title: string) => section(title).replaceAll(/\s+/g, ' ');

describe('the security page', () => {
  it('names only existing settings', () => {
    const named = page.match(/\b(?:MILEPOST_\w+|DATABASE_URL)\b/g) ?? [];
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !(name in settings))).toEqual([]);
  });
});

describe('the section on signing in', () => {
  it('lists every sign-in method with its protection (V6.1.3, V6.4.2)', () => {
    const kinds = new Set(Object.values<Operation>(operations).map(({ access }) => access.kind));
    expect(kinds.has('execution')).toBe(true);
    expect(firstCells('Ways to sign in')).toEqual([
      'session (`POST /session`)',
      'single sign-on (`/sign-in/oidc`)',
      'password reset link',
      'HTTP Basic',
      'API token (`Authorization: Bearer mp_...`)',
      'attempt secret',
    ]);
    for (const [, , protection = ''] of rowsOf('Ways to sign in')) expect(protection.length).toBeGreaterThan(30);
    const fields = Object.values<Operation>(operations).flatMap(({ body }) => Object.keys(body?.properties ?? {}));
    expect(fields.length).toBeGreaterThan(50);
    expect(fields.filter((name) => /hint|question/.test(name))).toEqual([]);
  });
});

describe('the section on guessing', () => {
  it('explains how password guessing is limited without locking out other users (V6.1.1)', () => {
    const text = plain('Guessing');
    const words = [
      'Ten failures within 15 minutes',
      'At most 2 passwords',
      'beyond 200',
      'cannot lock out another user',
    ];
    for (const one of words) expect(text).toContain(one);
    expect(source('passwords.ts')).toMatch(/atOnce: 2,\n  waiting: 200,/);
  });
});

describe('the section on passwords', () => {
  it('lists the words that passwords may not contain (V6.1.2)', () => {
    expect(namesIn(section('Passwords'))).toEqual(commonWords);
    const text = plain('Passwords');
    expect(text).toContain(`At least ${shortestPassword} characters`);
    expect(text).toContain(`${breachedCount().toLocaleString('en')} leaked passwords`);
  });
});

describe('a password', () => {
  it('never expires and is stored only as a hash (V6.2.10)', () => {
    expect(plain('Passwords')).toContain('no expiry');
    const users = /CREATE TABLE public\.users \((.*?)\n\);/s.exec(read('packages/server/schema.sql'))?.[1] ?? '';
    expect(users.match(/^ {4}\w+/gm)?.filter((column) => /password|expire|rotate/.test(column))).toEqual([
      '    password_hash',
      // A boolean: the user was imported without a password.
      '    awaits_password',
    ]);
  });
});

describe('the section on sessions', () => {
  it('states and justifies the lifetime of a session (V7.1.1)', () => {
    const text = plain('Sessions');
    for (const one of ['after 60 minutes without a request', 'after 12 hours', 'NIST SP 800-63B'])
      expect(text).toContain(one);
    expect(source('store/people/sessions.ts')).toContain(`interval '60 minutes'`);
    expect(read('packages/server/schema.sql')).toMatch(/expires_at <= \(?created_at \+ '12:00:00'::interval/);
  });

  it('states how many sessions a user may have and what ends them (V7.1.2)', () => {
    expect(plain('Sessions')).toMatch(/any number of sessions\..* all others at once/);
  });

  it('explains how sessions in Milepost relate to sessions at the identity provider (V7.1.3)', () => {
    expect(plain('Sessions')).toMatch(
      /follows the same limits\. It does not end when the provider's session ends.* takes effect at the next sign-in/,
    );
  });
});

describe('the section on access to fields', () => {
  it('lists the fields with their own access rules, and names only existing permissions (V8.1.2)', () => {
    const rows = rowsOf('Access to fields');
    const fields = rows.flatMap(([first = '']) => namesIn(first.split(' of ')[0] ?? ''));
    for (const name of ['password', 'username', 'active', 'email', 'secret_key']) expect(fields).toContain(name);
    const named = rows.flatMap(([, ...cells]) => cells.flatMap(namesIn)).filter((name) => name.includes('_update'));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !(permissions as readonly string[]).includes(name))).toEqual([]);
  });
});

describe('the section on input', () => {
  it('lists the rules for combined values with the status of each violation (V2.1.2)', () => {
    expect(plain('Input')).toMatch(/disagree \(400\),.* cohort \(409\),.* another state \(409\),.*`If-Match` \(412\)/);
  });

  it('lists the limits on bodies, automatic moves and failed sign-ins (V2.1.3)', () => {
    const rows = new Map(rowsOf('Input').map(([what = '', limit = '']) => [what, limit]));
    expect(rows.get('body')).toBe('1 MiB, 32 levels; reports on runs 16 MiB');
    expect(source('app.ts')).toContain('largestBody = 1024 * 1024;');
    expect(source('validation/json.ts')).toContain('maxDepth = 32;');
    expect(rows.get('automatic moves of one experiment')).toContain('100 within 10 minutes');
    expect(source('engine/experiments/loop-limit.ts')).toContain('100');
    expect(rows.get('failed sign-ins of one account from one address')).toBe('10 within 15 minutes');
  });

  it('lists the accepted files with their maximum size (V5.1.1)', () => {
    const rows = new Map(rowsOf('Input').map(([what = '', limit = '']) => [what, limit]));
    expect(rows.get('workflow or configuration file, YAML or JSON')).toMatch(/^256 KiB, .*50 aliases$/);
    expect(plain('Input')).toContain('never executed. There are no other uploads');
  });
});

describe('the section on expensive operations', () => {
  it('lists each operation with its limits (V15.1.3)', () => {
    for (const [what = '', guard = ''] of rowsOf('Expensive operations'))
      expect([what, guard.length > 3]).toEqual([what, true]);
    const statements = new Map(rowsOf('Expensive operations').map(([what = '', guard = '']) => [what, guard])).get(
      'statements',
    );
    const seconds = Number(settings.MILEPOST_STATEMENT_SECONDS.fallback);
    expect(statements).toMatch(`${seconds} s each, ${timeoutsFor(seconds).lockMs / 1000} s for locks`);
    expect(source('http/slow-bodies.ts')).toContain('longestRequestMs = 30_000;');
  });
});

describe('the section on keys', () => {
  it('names the holder, purpose and replacement of each key (V11.1.1)', () => {
    expect(plain('Keys and algorithms')).toMatch(
      /Each key has one purpose and one holder.* are replaced when .* are deleted/,
    );
    for (const row of rowsOf('Keys and algorithms')) expect(row.filter((cell) => cell.length > 3)).toHaveLength(4);
  });

  it('lists every key with its algorithm (V11.1.2)', () => {
    const algorithms = rowsOf('Keys and algorithms')
      .map(([, algorithm = '']) => algorithm)
      .join(' ');
    for (const one of ['argon2id', 'SHA-256', 'HMAC-SHA-256', 'Ed25519']) expect(algorithms).toContain(one);
    expect(source('passwords.ts')).toContain('memoryCost: 47_104, timeCost: 1');
  });
});

describe('the section on connections', () => {
  it('lists every connection with the setting that controls it (V13.1.1)', () => {
    const named = new Set(rowsOf('Connections').flatMap(([, , setting = '']) => namesIn(setting)));
    const leading = Object.keys(settings).filter((name) =>
      /_URL$|_ISSUER$|_HOST$|_PORT$|_ALLOW$|_COMMANDS$/.test(name),
    );
    expect(leading.filter((name) => !named.has(name))).toEqual([]);
    expect(plain('Connections')).toContain('There are no others.');
  });
});

describe('the section on data', () => {
  it('lists the classes of data, and names the secret and personal data (V14.1.1)', () => {
    expect(firstCells('Data')).toEqual(['secret', 'personal', 'study', 'operational']);
    const [secret = [], personal = []] = rowsOf('Data');
    for (const one of ['passwords', 'sessions', 'attempts']) expect(secret[1]).toContain(one);
    for (const one of ['subjects', 'e-mails', 'addresses']) expect(personal[1]).toContain(one);
  });

  it('states how each class of data is protected, kept and removed (V14.1.2)', () => {
    const [secret = [], personal = [], study = [], operation = []] = rowsOf('Data').map((row) => row[2] ?? '');
    expect(secret).toContain('in no log, history, event or URL');
    expect(personal).toContain('erasure');
    expect(study).toContain('kept permanently');
    const keeping = Object.keys(settings).filter((name) => name.startsWith('MILEPOST_KEEP_'));
    expect(keeping.filter((name) => !String(operation).includes(name))).toEqual([]);
  });
});

describe('the section on logs', () => {
  it('lists every log with its location, content, retention and readers (V16.1.1)', () => {
    const rows = rowsOf('Logs');
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(row.filter((cell) => cell !== '')).toHaveLength(5);
    expect(rows[0]?.[2]).toContain('rejections (401, 403, 429)');
    expect(source('http/problem.ts')).toContain('new Set([401, 403, 429])');
  });
});

describe('the section on components', () => {
  it('states how soon vulnerabilities are fixed and dependencies updated (V15.1.1)', () => {
    expect(plain('Components')).toMatch(
      /within 7 days if it is critical or high, and within 30 days otherwise\..*every 90 days/,
    );
  });
});
