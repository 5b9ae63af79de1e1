import { setImmediate } from 'node:timers/promises';
import { hash, verify } from '@node-rs/argon2';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { breachedCount } from './breached-passwords.ts';
import { createPasswords, faultOfPassword, shortestPassword } from './passwords.ts';

// Calls the real library and records the calls.
vi.mock('@node-rs/argon2', { spy: true });

const passwords = createPasswords();
const sentence = 'a sentence is a fine password';

describe('hash', () => {
  it('uses argon2id with the cost in SECURITY.md, and a new salt each time (V11.4.2)', async () => {
    const [one, other] = [await passwords.hash(sentence), await passwords.hash(sentence)];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);
    expect(one).not.toBe(other);
  });
});

describe('verify', () => {
  it('accepts only the exact password (V6.2.8)', async () => {
    const stored = await passwords.hash(sentence);
    expect(await passwords.verify(stored, sentence)).toBe(true);
    expect(await passwords.verify(stored, `${sentence} `)).toBe(false);
    expect(await passwords.verify(stored, '')).toBe(false);
  });

  it('returns false without a stored hash', async () => {
    expect(await passwords.verify(undefined, sentence)).toBe(false);
    expect(await passwords.verify(undefined, '')).toBe(false);
  });

  it('checks one hash of the same cost if no hash is stored', async () => {
    const stored = await passwords.hash(sentence);
    await passwords.verify(undefined, sentence);
    const costsOf = async (storedHash: string | undefined) => {
      vi.mocked(verify).mockClear();
      vi.mocked(hash).mockClear();
      await passwords.verify(storedHash, 'wrong');
      expect(hash).not.toHaveBeenCalled();
      return vi.mocked(verify).mock.calls.map(([against]) => String(against).replace(/[^$]+\$[^$]+$/, ''));
    };
    expect(await costsOf(stored)).toEqual(['$argon2id$v=19$m=47104,t=1,p=1$']);
    expect(await costsOf(undefined)).toEqual(await costsOf(stored));
  });

  it('needs the same CPU time without a stored hash, within a factor of two', { tags: ['nightly'] }, async () => {
    const stored = await passwords.hash(sentence);
    await passwords.verify(undefined, sentence);
    const millisecondsOf = async (storedHash: string | undefined) => {
      const before = process.cpuUsage();
      await passwords.verify(storedHash, 'wrong');
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    let [withoutHash, withHash] = [0, 0];
    // Alternates, so that both run under the same load.
    for (let count = 0; count < 20; count++) {
      withoutHash += await millisecondsOf(undefined);
      withHash += await millisecondsOf(stored);
    }
    expect(withoutHash / withHash).toBeGreaterThan(0.5);
    expect(withoutHash / withHash).toBeLessThan(2);
  });
});

describe('isWeak', () => {
  it.each([
    ['less memory', { memoryCost: 47_103, timeCost: 1 }, true],
    ['just enough memory', { memoryCost: 47_104, timeCost: 1 }, false],
    ['more memory and time', { memoryCost: 65_536, timeCost: 2 }, false],
  ])('returns $2 for a hash with $0', async (_what, cost, weak) => {
    expect(passwords.isWeak(await hash(sentence, { ...cost, parallelism: 1 }))).toBe(weak);
  });

  it('returns true for another algorithm, whatever its cost', async () => {
    const argon2i = await hash(sentence, { algorithm: 1, memoryCost: 65_536, timeCost: 3, parallelism: 1 });
    expect(argon2i).toMatch(/^\$argon2i\$/);
    expect(passwords.isWeak(argon2i)).toBe(true);
    expect(passwords.isWeak('$2b$12$abcdefghijklmnopqrstuv')).toBe(true);
  });
});

describe('concurrent checks', () => {
  it('run two at a time, and are rejected as busy if 200 are already waiting', async () => {
    const own = createPasswords();
    const stored = await own.hash(sentence);
    await own.verify(undefined, sentence);
    const release = Promise.withResolvers<boolean>();
    let [running, most] = [0, 0];
    vi.mocked(verify).mockImplementation(async () => {
      most = Math.max(most, ++running);
      const result = await release.promise;
      running -= 1;
      return result;
    });
    onTestFinished(() => void vi.mocked(verify).mockReset());
    const checks = Array.from({ length: 202 }, () => own.verify(stored, sentence));
    await setImmediate();
    expect(running).toBe(2);
    await expect(own.verify(stored, sentence)).rejects.toMatchObject({ code: 'busy', retryAfterSeconds: 5 });
    release.resolve(true);
    expect(await Promise.all(checks)).toEqual(checks.map(() => true));
    expect(most).toBe(2);
    vi.mocked(verify).mockReset();
    expect(await own.verify(stored, sentence)).toBe(true);
    expect(await own.verify(stored, 'wrong')).toBe(false);
  });
});

describe('faultOfPassword', () => {
  const personal = ['j.jansen.of.site', 'J.Jansen@example.org'];

  it.each([
    ['', 'at least 12'],
    ['elevenchars', 'at least 12'],
    ['🧠'.repeat(11), 'at least 12'],
    ['aaaaaaaaaaaaaaaa', 'repeated'],
    ['abababababab', 'repeated'],
    ['AaAaAaAaAaAa', 'repeated'],
    ['passwordpassword', 'too common'],
    ['Password2026!', 'too common'],
    ['2026-hospital!', 'too common'],
    ['mypassword1234', 'too common'],
    ['your-own-password', 'too common'],
    ['change_this: secret2', 'too common'],
    ['football dragon sunshine', 'too common'],
    ['123456789012', 'too common'],
    ['210987654321', 'too common'],
    ['qwertyuiopasdf', 'too common'],
    ['abcdefghijklm', 'too common'],
    ['J.JANSEN.OF.SITE', 'username or e-mail'],
    ['j.jansen@EXAMPLE.org', 'username or e-mail'],
  ])('rejects %j (V6.2.1, V6.2.11)', (password, reason) => {
    expect(faultOfPassword(password, personal)).toContain(reason);
  });

  it('rejects more than 3,000 leaked passwords, regardless of case (V6.2.4, V6.2.12)', () => {
    expect(breachedCount()).toBeGreaterThan(3000);
    for (const password of ['1q2w3e4r5t6y', 'sonyericsson', 'leavemealone', 'unbelievable', 'chickenwing101']) {
      expect(faultOfPassword(password, personal)).toContain('data breach');
      expect(faultOfPassword(password.toUpperCase(), personal)).toContain('data breach');
    }
  });

  it('accepts passwords of 64 or more characters, and every character counts (V6.2.8, V6.2.9)', async () => {
    for (const length of [64, 200]) {
      const long = 'x7 mild Tuesdays, '.repeat(20).slice(0, length);
      expect(faultOfPassword(long, personal)).toBeUndefined();
      const stored = await createPasswords().hash(long);
      expect(await createPasswords().verify(stored, long)).toBe(true);
      expect(await createPasswords().verify(stored, `${long.slice(0, -1)}!`)).toBe(false);
    }
  });

  it.each([
    'twelve chars',
    'correct horse battery',
    'passwords are read aloud',
    'zwölf🧠ein🦴wi',
    'x7$kQ!m2@Lp9',
    '603 917 284 5',
  ])('accepts %j, because there are no composition rules (V6.2.5)', (password) => {
    expect(Array.from(password).length).toBeGreaterThanOrEqual(shortestPassword);
    expect(faultOfPassword(password, personal)).toBeUndefined();
  });
});
