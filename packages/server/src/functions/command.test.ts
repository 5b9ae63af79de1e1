/** Tests the function `command` with real programs. */
import { cutMark } from '../cut-text.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRun, testSecret } from '../../testing/callback-run.ts';
import { createLifeline, type Lifeline } from '../../testing/counterparts/lifeline.ts';
import { createPrograms } from '../../testing/counterparts/programs.ts';
import { createOutgoing } from '../outgoing/create-outgoing.ts';
import { PermanentFailure } from './callback-function.ts';
import { createFunctions } from './index.ts';

const programs = createPrograms();
let line: Lifeline;
beforeAll(async () => {
  line = await createLifeline();
  programs.shell('arguments', 'for one in "$@"; do printf "%s\\n" "[$one]"; done');
  programs.shell('environment', 'env | sort; pwd');
  programs.shell('exit', 'echo said; echo warned >&2; exit "$1"');
  programs.shell('print', 'printf "%s" "$1"');
  programs.node('dies', 'process.kill(process.pid, "SIGSEGV")');
  programs.node(
    'chatty',
    'console.log("x".repeat(3 << 20)); console.error("y".repeat(2 << 20)); console.log(`__VALUES__ = {"a": 1}`)',
  );
  programs.node(
    'fails late',
    'console.error("reading\\n".repeat(3e5)); console.error("ERROR: No space left on /scratch\\ncleaning up"); process.exitCode = 1',
  );
  programs.file('not-a-program', 'just text');
  const grandchild = programs.node('grandchild', line.script);
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

describe('command', () => {
  it('has the last error line as the cause, also after 2 MB of output', async () => {
    const { cause, values } = await call({ binary: 'fails late' }).ended;
    expect(cause).toBe('No space left on /scratch');
    expect(values['stderr']).toContain(cutMark);
  });

  it('runs a program without a shell, with arguments before flags (V1.2.5)', async () => {
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

  it('passes a flag for true and for each list element, and none for false and null', async () => {
    const kwargs = { '--a': true, '--b': false, '--c': null, '--d': ['x', 2], '--e': [], '--f': '' };
    expect(await stdoutOf({ binary: 'arguments', kwargs })).toBe('[--a]\n[--d]\n[x]\n[--d]\n[2]\n[--f]\n[]\n');
  });

  it('passes a fixed environment with the execution and no variables of the worker', async () => {
    process.env['MILEPOST_TEST_PLANTED'] = 'planted';
    const { run } = makeRun({ binary: 'environment' });
    const { values } = await functions.command(run);
    delete process.env['MILEPOST_TEST_PLANTED'];
    const names = String(values['stdout']).matchAll(/^(\w+)=/gm);
    // The shell adds PWD and others.
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

  it('passes the secret but does not store it', async () => {
    const { ended } = call({ binary: 'arguments', args: [testSecret] });
    expect(JSON.stringify(await ended)).not.toContain(testSecret);
    expect((await ended).values['stdout']).toBe('[(hidden)]\n');
  });

  it('has the alias external_program', () => {
    expect(functions.external_program).toBe(functions.command);
  });
});

describe('the exit code', () => {
  it.each([
    [0, undefined, 'success'],
    [3, undefined, 'failed'],
    [3, 3, 'success'],
    [3, [0, 3], 'success'],
    [0, [1, 3], 'failed'],
    [250, null, 'success'],
  ])('%d with expected_return_code %j gives the result %s and keeps the output', async (code, expected, result) => {
    const more = expected === undefined ? {} : { expected_return_code: expected };
    const ended = await call({ binary: 'exit', args: [code], ...more }).ended;
    expect(ended).toMatchObject({ result, values: { return_code: code, stdout: 'said\n', stderr: 'warned\n' } });
    expect(ended.cause).toBe(result === 'failed' ? 'warned' : undefined);
    const wanted = [expected ?? 0].flat().join(' or ');
    const reason = `Unexpected exit code: ${code} (expected ${wanted}).`;
    expect(ended.reason).toBe(result === 'failed' ? reason : undefined);
  });

  it('is the negative signal number if a signal ended the program', async () => {
    expect(await call({ binary: 'dies' }).ended).toMatchObject({ result: 'failed', values: { return_code: -11 } });
  });
});

describe('__VALUES__', () => {
  it.each([
    ['__VALUES__ = {"volume": 3.5, "parts": ["a"]}\n', { volume: 3.5, parts: ['a'] }],
    ['before\n__VALUES__={"a":1}\nafter', { a: 1 }],
    ['__VALUES__ = {"a":1}\n__VALUES__ = {"b":2}', { b: 2 }],
    ['__VALUES__ = {"a":1}\r\n', { a: 1 }],
    ['  __VALUES__ = {"a":1}\n', {}],
    ['nothing', {}],
    ['', {}],
  ])('is read from the output %j as %j', async (text, values) => {
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
  ])('makes the run fail if the output is the invalid line %j', async (text) => {
    const ended = await call({ binary: 'print', args: [text] }).ended;
    expect(ended).toMatchObject({ result: 'failed', values: { values: {}, return_code: 0 } });
    expect(ended.reason).toContain('__VALUES__');
  });

  it('is read even from output that is too long to keep', async () => {
    const { lines, ended } = call({ binary: 'chatty' });
    const { values } = await ended;
    expect(values['values']).toEqual({ a: 1 });
    expect([values['stdout'], values['stderr']].map((text) => String(text).length)).toEqual([
      (1 << 20) + cutMark.length,
      (1 << 20) + cutMark.length,
    ]);
    expect(lines.slice(1)).toEqual([
      'chatty: stdout is longer than 1 MiB. Only its beginning is kept.',
      'chatty: stderr is longer than 1 MiB. Only its beginning is kept.',
    ]);
  });
});

describe('a run of command', () => {
  it.each([
    [{}, 'binary is required.'],
    [{ binary: 'argument' }, 'binary "argument" is not in MILEPOST_COMMANDS. Did you mean "arguments"?'],
    [{ binary: '/bin/sh' }, 'binary "/bin/sh" is not in MILEPOST_COMMANDS.'],
    [{ binary: '../bin/sh' }, 'is not in MILEPOST_COMMANDS.'],
    [{ binary: '__proto__' }, 'is not in MILEPOST_COMMANDS.'],
    [{ binary: 'print', args: 'x' }, 'args must be a list.'],
    [{ binary: 'print', args: [null] }, 'args/0 must be text, or a number.'],
    [{ binary: 'print', kwargs: ['-a', 1] }, 'kwargs must be an object.'],
    [{ binary: 'print', expected_return_code: '0' }, 'expected_return_code must be'],
    [{ binary: 'print', args: ['a\0b'] }, 'Cannot run '],
    [{ binary: 'missing' }, '/missing: '],
    [{ binary: 'not-a-program' }, '/not-a-program: '],
  ])('fails permanently with the arguments %j', async (given, why) => {
    const failure = await call(given).ended.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PermanentFailure);
    expect((failure as Error).message).toContain(why);
  });

  it('fails permanently if MILEPOST_COMMANDS is empty', async () => {
    const none = createFunctions({ outgoing, mail: undefined, commands: new Map(), taskFolder: undefined });
    await expect(none.command(makeRun({ binary: 'sh' }).run)).rejects.toThrow('MILEPOST_COMMANDS. None are defined.');
  });
});

describe('a child process of a program', () => {
  it('is stopped when the run is cancelled', async () => {
    const { ended, abort } = call({ binary: 'family' });
    const failure = ended.catch((error: unknown) => error);
    await expect.poll(line.alive, { interval: 10 }).toBe(2);
    const reason = new Error('timed out');
    abort(reason);
    expect(await failure).toBe(reason);
    await expect.poll(line.alive, { interval: 10 }).toBe(0);
  });

  it('is killed when the program exits first', async () => {
    const before = line.started();
    expect((await call({ binary: 'leaves' }).ended).result).toBe('success');
    await expect.poll(() => [line.started(), line.alive()], { interval: 10 }).toEqual([before + 1, 0]);
  });
});
