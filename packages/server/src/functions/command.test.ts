/** The function `command` with real programs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRun, testSecret } from '../../testing/callback-run.ts';
import { createLifeLine, type LifeLine } from '../../testing/counterparts/life-line.ts';
import { createPrograms } from '../../testing/counterparts/programs.ts';
import { createOutgoing } from '../outgoing/create-outgoing.ts';
import { LastingFailure } from './callback-function.ts';
import { createFunctions } from './index.ts';

const programs = createPrograms();
let line: LifeLine;
beforeAll(async () => {
  line = await createLifeLine();
  programs.shell('arguments', 'for one in "$@"; do printf "%s\\n" "[$one]"; done');
  programs.shell('environment', 'env | sort; pwd');
  programs.shell('exit', 'echo said; echo warned >&2; exit "$1"');
  programs.shell('print', 'printf "%s" "$1"');
  programs.node('dies', 'process.kill(process.pid, "SIGSEGV")');
  programs.node(
    'chatty',
    'console.log("x".repeat(3 << 20)); console.error("y".repeat(2 << 20)); console.log(`__VALUES__ = {"a": 1}`)',
  );
  programs.file('no-program', 'just text');
  const grandchild = programs.node('grandchild', line.hold);
  programs.shell('family', `"${grandchild}" & "${grandchild}" & wait`);
  const start = `require('node:child_process').spawn(${JSON.stringify(grandchild)}, { stdio: ['ignore', 'pipe', 'ignore'] })`;
  programs.node('leaves', `${start}.stdout.once('data', () => process.exit(0))`);
  programs.names.set('missing', `${programs.folder}/missing`);
});
afterAll(async () => {
  await line.stop();
  programs.remove();
});

const outgoing = createOutgoing({ allow: [] });
const functions = createFunctions({ outgoing, mail: undefined, commands: programs.names, taskFolder: undefined });
const call = (given: Record<string, unknown>) => {
  const made = makeRun(given);
  return { ...made, ended: functions.command(made.run) };
};
const stdoutOf = async (given: Record<string, unknown>) => (await call(given).ended).values['stdout'];

describe('a program', () => {
  it('is run without a shell, with its arguments before its flags (V1.2.5)', async () => {
    const { lines, ended } = call({
      binary: 'arguments',
      args: ['$HOME; `id`', 5, ''],
      kwargs: { '--in': 'a b', '-n': 1 },
    });
    expect(await ended).toEqual({
      result: 'success',
      values: {
        command: [`${programs.folder}/arguments`, '$HOME; `id`', '5', '', '--in', 'a b', '-n', '1'],
        stdout: '[$HOME; `id`]\n[5]\n[]\n[--in]\n[a b]\n[-n]\n[1]\n',
        stderr: '',
        return_code: 0,
        values: {},
      },
    });
    expect(lines).toEqual([expect.stringMatching(/^arguments: exit code 0 in \d+ ms$/)]);
  });

  it('gets flags for true and for each of a list, and none for false and null', async () => {
    const kwargs = { '--a': true, '--b': false, '--c': null, '--d': ['x', 2], '--e': [], '--f': '' };
    expect(await stdoutOf({ binary: 'arguments', kwargs })).toBe('[--a]\n[--d]\n[x]\n[--d]\n[2]\n[--f]\n[]\n');
  });

  it('finds a fixed environment, where only the execution is its own', async () => {
    process.env['MILEPOST_TEST_PLANTED'] = 'planted';
    const { run } = makeRun({ binary: 'environment' });
    const { values } = await functions.command(run);
    delete process.env['MILEPOST_TEST_PLANTED'];
    const names = String(values['stdout']).matchAll(/^(\w+)=/gm);
    // The shell itself sets PWD and others.
    const known = [...names].map(([, name]) => name).filter((name) => !/^(?:PWD|OLDPWD|SHLVL|_)$/.test(name ?? ''));
    expect(known).toEqual([
      'HOME',
      'LANG',
      'MILEPOST_EXECUTION_ATTEMPT',
      'MILEPOST_EXECUTION_SECRET',
      'MILEPOST_EXECUTION_URI',
      'PATH',
    ]);
    expect(values['stdout']).toContain(`MILEPOST_EXECUTION_URI=${run.execution.apiUri}\n`);
    expect(values['stdout']).toMatch(/\n\/\n$/);
  });

  it('gets the secret, which is not kept', async () => {
    const { ended } = call({ binary: 'arguments', args: [testSecret] });
    expect(JSON.stringify(await ended)).not.toContain(testSecret);
    expect((await ended).values['stdout']).toBe('[(hidden)]\n');
  });

  it('is known by its older name, too', () => {
    expect(functions.external_program).toBe(functions.command);
  });
});

describe('an exit code', () => {
  it.each([
    [0, undefined, 'success'],
    [3, undefined, 'failed'],
    [3, 3, 'success'],
    [3, [0, 3], 'success'],
    [0, [1, 3], 'failed'],
    [250, null, 'success'],
  ])('%d, where %j is expected, is %s, and what was said is kept', async (code, expected, result) => {
    const more = expected === undefined ? {} : { expected_return_code: expected };
    const ended = await call({ binary: 'exit', args: [code], ...more }).ended;
    expect(ended).toMatchObject({ result, values: { return_code: code, stdout: 'said\n', stderr: 'warned\n' } });
    expect(ended.reason).toBe(
      result === 'failed' ? `The program ended with ${code}, which is not expected.` : undefined,
    );
  });

  it('of a program that was ended by a signal is minus its number', async () => {
    expect(await call({ binary: 'dies' }).ended).toMatchObject({ result: 'failed', values: { return_code: -11 } });
  });
});

describe('values', () => {
  it.each([
    ['__VALUES__ = {"volume": 3.5, "parts": ["a"]}\n', { volume: 3.5, parts: ['a'] }],
    ['before\n__VALUES__={"a":1}\nafter', { a: 1 }],
    ['__VALUES__ = {"a":1}\n__VALUES__ = {"b":2}', { b: 2 }],
    ['__VALUES__ = {"a":1}\r\n', { a: 1 }],
    ['  __VALUES__ = {"a":1}\n', {}],
    ['nothing', {}],
    ['', {}],
  ])('printed as %j are %j', async (text, values) => {
    expect(await call({ binary: 'print', args: [text] }).ended).toMatchObject({
      result: 'success',
      values: { values },
    });
  });

  it.each([
    '__VALUES__ = {',
    '__VALUES__ = [1]',
    '__VALUES__ = null',
    '__VALUES__ =',
    `__VALUES__ = ${'{"a":'.repeat(50)}1${'}'.repeat(50)}`,
  ])('printed as %j are no success', async (text) => {
    const ended = await call({ binary: 'print', args: [text] }).ended;
    expect(ended).toMatchObject({ result: 'failed', values: { values: {}, return_code: 0 } });
    expect(ended.reason).toContain('__VALUES__');
  });

  it('are found behind more than is kept of the output', async () => {
    const { lines, ended } = call({ binary: 'chatty' });
    const { values } = await ended;
    expect(values['values']).toEqual({ a: 1 });
    expect([values['stdout'], values['stderr']].map((text) => String(text).length)).toEqual([1 << 20, 1 << 20]);
    expect(lines.slice(1)).toEqual([
      'chatty: stdout is longer than 1 MiB; only its beginning is kept',
      'chatty: stderr is longer than 1 MiB; only its beginning is kept',
    ]);
  });
});

describe('a failure that lasts', () => {
  it.each([
    [{}, 'binary is required and missing.'],
    [
      { binary: 'argument' },
      'binary is "argument", which is no program that the operator allows with MILEPOST_COMMANDS: did you mean "arguments"?',
    ],
    [{ binary: '/bin/sh' }, 'binary is "/bin/sh", which is no program'],
    [{ binary: '../bin/sh' }, 'which is no program'],
    [{ binary: '__proto__' }, 'which is no program'],
    [{ binary: 'print', args: 'x' }, 'args must be a list.'],
    [{ binary: 'print', args: [null] }, 'args/0 must be text, or a number.'],
    [{ binary: 'print', kwargs: ['-a', 1] }, 'kwargs must be an object.'],
    [{ binary: 'print', expected_return_code: '0' }, 'expected_return_code must be'],
    [{ binary: 'print', args: ['a\0b'] }, 'cannot be run'],
    [{ binary: 'missing' }, 'missing cannot be run: '],
    [{ binary: 'no-program' }, 'no-program cannot be run: '],
  ])('is that of the arguments %j', async (given, why) => {
    const failure = await call(given).ended.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(LastingFailure);
    expect((failure as Error).message).toContain(why);
  });

  it('is every program where the operator names none', async () => {
    const none = createFunctions({ outgoing, mail: undefined, commands: new Map(), taskFolder: undefined });
    await expect(none.command(makeRun({ binary: 'sh' }).run)).rejects.toThrow('MILEPOST_COMMANDS: none is known here.');
  });
});

describe('what a program starts', () => {
  it('is ended with it when the run is called off', async () => {
    const { ended, abort } = call({ binary: 'family' });
    const failure = ended.catch((error: unknown) => error);
    await expect.poll(line.alive, { interval: 10 }).toBe(2);
    const reason = new Error('its time is over');
    abort(reason);
    expect(await failure).toBe(reason);
    await expect.poll(line.alive, { interval: 10 }).toBe(0);
  });

  it('is ended with it when it is left behind', async () => {
    const before = line.seen();
    expect((await call({ binary: 'leaves' }).ended).result).toBe('success');
    await expect.poll(() => [line.seen(), line.alive()], { interval: 10 }).toEqual([before + 1, 0]);
  });
});
