/** Tests what all functions have in common, and the functions `sleep` and `wait`. */
import { setImmediate, setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { makeRun, testSecret } from '../../testing/callback-run.ts';
import { readConfig } from '../config.ts';
import { functionNames, type BuiltInFunction } from '@milepost/definitions';
import { Paused, PermanentFailure } from './callback-function.ts';
import { createFunctions, openIntegrations } from './index.ts';

vi.mock('node:timers/promises', { spy: true });

const config = readConfig({ DATABASE_URL: 'postgresql://nobody@localhost/none' });
const functions = createFunctions(openIntegrations(config.integrations));
const names = Object.keys(functions) as BuiltInFunction[];

it('the callback functions are those that a workflow file can use, except `worker`', () => {
  expect([...names, 'worker'].toSorted()).toEqual([...functionNames].toSorted());
});

describe('the function', () => {
  const reaching: Partial<Record<BuiltInFunction, Record<string, unknown>>> = {
    http: { url: 'http://127.0.0.1:80/' },
    command: { binary: 'sh' },
    external_program: { binary: 'sh' },
    send_mail: { subject: 'x', body: 'y', to: 'a@example.org' },
    create_task: { task_base: 'qa.json', task_info: {}, taskmanager_external_system_name: 'XNAT' },
  };

  it.each(Object.entries(reaching))('%s fails unless the operator allows access (V13.2.4)', async (name, given) => {
    const failure = await functions[name as BuiltInFunction](makeRun(given).run).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PermanentFailure);
    expect((failure as Error).message).toMatch(/MILEPOST_(OUTGOING_ALLOW|COMMANDS|SMTP_URL|TASK_FOLDER)/);
  });

  it.each(names)('%s rejects an unknown argument and masks the secret in the error', async (name) => {
    const failure = await functions[name](makeRun({ [testSecret]: 1 }).run).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PermanentFailure);
    expect((failure as Error).message).toContain('(hidden) is not a known field');
    expect((failure as Error).message).not.toContain(testSecret);
  });

  it.each(names)('%s does not start if the run is already cancelled', async (name) => {
    const reason = new Error('too late');
    const { run, lines } = makeRun({}, { signal: AbortSignal.abort(reason) });
    await expect(functions[name](run)).rejects.toBe(reason);
    expect(lines).toEqual([]);
  });
});

const sleepFor = (seconds: number, runningSeconds: number) => {
  const given = makeRun({ seconds });
  given.run.execution.runningSeconds = runningSeconds;
  return given;
};

describe('sleep', () => {
  it('pauses the run for a long sleep, so that it occupies no slot', async () => {
    const { run } = sleepFor(90, 0);
    const paused = await functions.sleep(run).catch((error: unknown) => error);
    expect(paused).toBeInstanceOf(Paused);
    expect(paused).toMatchObject({ seconds: 90 });
    expect(setTimeout).not.toHaveBeenCalled();
  });

  it('pauses again for the rest if an attempt starts early', async () => {
    await expect(functions.sleep(sleepFor(90, 30).run)).rejects.toMatchObject({ name: 'Paused', seconds: 60 });
  });

  it('returns the duration after the pause', async () => {
    const ended = await functions.sleep(sleepFor(90, 90.2).run);
    expect(ended).toEqual({ result: 'success', values: { sleep_duration: 90 } });
  });

  it('waits for the rest of a short sleep', async () => {
    const timer = Promise.withResolvers<undefined>();
    vi.mocked(setTimeout).mockReturnValueOnce(timer.promise);
    const { run } = sleepFor(90, 89);
    const ended = vi.fn<() => void>();
    const sleeping = functions.sleep(run).finally(ended);
    // Anything that does not wait for the timer has run after one turn of the event loop.
    await setImmediate();
    expect(ended).not.toHaveBeenCalled();
    expect(setTimeout).toHaveBeenCalledExactlyOnceWith(1000, undefined, { signal: run.signal });
    timer.resolve(undefined);
    expect(await sleeping).toEqual({ result: 'success', values: { sleep_duration: 90 } });
  });

  it('throws the reason when the run is cancelled', async () => {
    const { run, abort } = sleepFor(600, 599);
    const ended = functions.sleep(run).catch((error: unknown) => error);
    const reason = new Error('timed out');
    abort(reason);
    expect(await ended).toBe(reason);
  });

  it.each([
    [{}, 'seconds is required.'],
    [{ seconds: '5' }, 'seconds must be a number.'],
    [{ seconds: -1 }, 'seconds must be at least 0, but is -1.'],
    [{ seconds: 604_801 }, 'seconds must be at most 604800, but is 604801.'],
  ])('rejects the arguments %j', async (given, why) => {
    await expect(functions.sleep(makeRun(given).run)).rejects.toThrow(why);
  });
});

describe('wait', () => {
  it('finishes immediately without result values', async () => {
    const { run } = makeRun({}, { waitsForReport: true });
    expect(await functions.wait(run)).toEqual({ result: 'success', values: {} });
  });
});
