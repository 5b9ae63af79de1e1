import { setImmediate } from 'node:timers/promises';
import { hash, verify } from '@node-rs/argon2';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { breachedCount } from './breached-passwords.ts';
import { createPasswords, faultOfPassword, shortestPassword } from './passwords.ts';

// The library does what it does; how it is called is watched.
vi.mock('@node-rs/argon2', { spy: true });

const passwords = createPasswords();
const sentence = 'a sentence is a fine password';

describe('hash', () => {
  it('is argon2id with at least the effort that SECURITY.md names, and another each time (V11.4.2)', async () => {
    const [one, other] = [await passwords.hash(sentence), await passwords.hash(sentence)];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);
    expect(one).not.toBe(other);
  });
});

describe('verify', () => {
  it('holds for the password and for no other (V6.2.8)', async () => {
    const stored = await passwords.hash(sentence);
    expect(await passwords.verify(stored, sentence)).toBe(true);
    expect(await passwords.verify(stored, `${sentence} `)).toBe(false);
    expect(await passwords.verify(stored, '')).toBe(false);
  });

  it('of nobody is false whatever is given', async () => {
    expect(await passwords.verify(undefined, sentence)).toBe(false);
    expect(await passwords.verify(undefined, '')).toBe(false);
  });

  it('of nobody does the same work as of somebody: one hash of the same effort', async () => {
    const stored = await passwords.hash(sentence);
    await passwords.verify(undefined, sentence);
    const effortsOf = async (storedHash: string | undefined) => {
      vi.mocked(verify).mockClear();
      vi.mocked(hash).mockClear();
      await passwords.verify(storedHash, 'wrong');
      expect(hash).not.toHaveBeenCalled();
      return vi.mocked(verify).mock.calls.map(([against]) => String(against).replace(/[^$]+\$[^$]+$/, ''));
    };
    expect(await effortsOf(stored)).toEqual(['$argon2id$v=19$m=47104,t=1,p=1$']);
    expect(await effortsOf(undefined)).toEqual(await effortsOf(stored));
  });

  it(
    "of nobody takes as much of a core's time as of somebody, within a factor of two",
    { tags: ['nightly'] },
    async () => {
      const stored = await passwords.hash(sentence);
      await passwords.verify(undefined, sentence);
      const millisecondsOf = async (storedHash: string | undefined) => {
        const before = process.cpuUsage();
        await passwords.verify(storedHash, 'wrong');
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      };
      let [nobody, somebody] = [0, 0];
      // In turn, so that both meet the same machine.
      for (let count = 0; count < 20; count++) {
        nobody += await millisecondsOf(undefined);
        somebody += await millisecondsOf(stored);
      }
      expect(nobody / somebody).toBeGreaterThan(0.5);
      expect(nobody / somebody).toBeLessThan(2);
    },
  );
});

describe('isWeak', () => {
  it.each([
    ['less memory', { memoryCost: 47_103, timeCost: 1 }, true],
    ['just enough', { memoryCost: 47_104, timeCost: 1 }, false],
    ['more of both', { memoryCost: 65_536, timeCost: 2 }, false],
  ])('of a hash with %s', async (_what, cost, weak) => {
    expect(passwords.isWeak(await hash(sentence, { ...cost, parallelism: 1 }))).toBe(weak);
  });

  it('holds for another algorithm, whatever its effort', async () => {
    const argon2i = await hash(sentence, { algorithm: 1, memoryCost: 65_536, timeCost: 3, parallelism: 1 });
    expect(argon2i).toMatch(/^\$argon2i\$/);
    expect(passwords.isWeak(argon2i)).toBe(true);
    expect(passwords.isWeak('$2b$12$abcdefghijklmnopqrstuv')).toBe(true);
  });
});

describe('many at once', () => {
  it('take turns, two at a time; beyond 200 who wait the next is told to come back', async () => {
    const own = createPasswords();
    const stored = await own.hash(sentence);
    await own.verify(undefined, sentence);
    const release = Promise.withResolvers<boolean>();
    let [running, most] = [0, 0];
    vi.mocked(verify).mockImplementation(async () => {
      most = Math.max(most, ++running);
      const answer = await release.promise;
      running -= 1;
      return answer;
    });
    onTestFinished(() => void vi.mocked(verify).mockReset());
    const places = Array.from({ length: 202 }, () => own.verify(stored, sentence));
    await setImmediate();
    expect(running).toBe(2);
    await expect(own.verify(stored, sentence)).rejects.toMatchObject({ code: 'busy', retryAfterSeconds: 5 });
    release.resolve(true);
    expect(await Promise.all(places)).toEqual(places.map(() => true));
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
    ['passwordpassword', 'tried first'],
    ['Password2026!', 'tried first'],
    ['2026-hospital!', 'tried first'],
    ['mypassword1234', 'tried first'],
    ['your-own-password', 'tried first'],
    ['change_this: secret2', 'tried first'],
    ['football dragon sunshine', 'tried first'],
    ['123456789012', 'tried first'],
    ['210987654321', 'tried first'],
    ['qwertyuiopasdf', 'tried first'],
    ['abcdefghijklm', 'tried first'],
    ['J.JANSEN.OF.SITE', 'username or e-mail'],
    ['j.jansen@EXAMPLE.org', 'username or e-mail'],
  ])('refuses %j (V6.2.1, V6.2.11)', (password, reason) => {
    expect(faultOfPassword(password, personal)).toContain(reason);
  });

  it('knows far more than the 3,000 most frequent that became known elsewhere, in whatever case (V6.2.4, V6.2.12)', () => {
    expect(breachedCount()).toBeGreaterThan(3000);
    for (const password of ['1q2w3e4r5t6y', 'sonyericsson', 'leavemealone', 'unbelievable', 'chickenwing101']) {
      expect(faultOfPassword(password, personal)).toContain('stolen elsewhere');
      expect(faultOfPassword(password.toUpperCase(), personal)).toContain('stolen elsewhere');
    }
  });

  it('of 64 characters and of many more is fine, and every character of it counts (V6.2.8, V6.2.9)', async () => {
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
  ])('takes %j, as there are no rules of composition (V6.2.5)', (password) => {
    expect(Array.from(password).length).toBeGreaterThanOrEqual(shortestPassword);
    expect(faultOfPassword(password, personal)).toBeUndefined();
  });
});
