/** Tests how programs are stopped: those that ignore SIGTERM and those that leave processes behind. */
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLifeline, type Lifeline } from '../../testing/counterparts/lifeline.ts';
import { createPrograms } from '../../testing/counterparts/programs.ts';
import { runProgram } from './run-program.ts';

const programs = createPrograms();
let line: Lifeline;
beforeAll(async () => {
  line = await createLifeline();
});
afterAll(async () => {
  await line.stop();
  programs.remove();
});

/** Longer than any test takes. */
const longGraceMs = 3_600_000;

/** Runs the program until it prints `readyLine`, then cancels it. `said` dispatches an event for each line. */
async function cancelWhenReady(path: string, graceMs?: number, { readyLine = 'ready', said = new EventTarget() } = {}) {
  const controller = new AbortController();
  const ready = once(said, readyLine);
  const onLine = (text: string) => said.dispatchEvent(new Event(text));
  const finished = runProgram({
    path,
    args: [],
    environment: {},
    signal: controller.signal,
    onLine,
    ...(graceMs && { graceMs }),
  });
  await ready;
  controller.abort();
  return finished;
}

describe('a cancelled program', () => {
  it('can handle SIGTERM and exit by itself', async () => {
    const path = programs.node(
      'polite',
      'process.on("SIGTERM", () => { console.log("goodbye"); process.exit(7); }); console.log("ready"); setInterval(() => {}, 1000);',
    );
    expect(await cancelWhenReady(path, longGraceMs)).toMatchObject({ returnCode: 7, stdout: 'ready\ngoodbye\n' });
  });

  it('is killed with its child processes if it ignores SIGTERM', async () => {
    const stubborn = 'process.on("SIGTERM", () => {});';
    const child = programs.node('stubborn-child', `${stubborn} ${line.script}`);
    const start = `require("node:child_process").spawn(${JSON.stringify(child)}, { stdio: "inherit" });`;
    const path = programs.node('stubborn', `${stubborn} ${start} setInterval(() => {}, 1000);`);
    expect(await cancelWhenReady(path, 100, { readyLine: 'held' })).toMatchObject({ returnCode: -9 });
    await expect.poll(() => [line.started(), line.alive()], { interval: 10 }).toEqual([1, 0]);
  });

  it('has 3 s to exit, so that a stopping worker can still record the outcome of the run', async () => {
    const path = programs.node(
      'deaf',
      'process.on("SIGTERM", () => console.log("asked")); console.log("ready"); setInterval(() => {}, 1000);',
    );
    const said = new EventTarget();
    const asked = once(said, 'asked');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.runOnlyPendingTimers();
      vi.useRealTimers();
    });
    const finished = cancelWhenReady(path, undefined, { said });
    await asked;
    const pending = vi.getTimerCount();
    vi.advanceTimersByTime(2_999);
    expect(vi.getTimerCount()).toBe(pending);
    vi.advanceTimersByTime(1);
    expect(await finished).toMatchObject({ returnCode: -9, stdout: 'ready\nasked\n' });
  });

  it('is stopped immediately if it was cancelled before it started', async () => {
    const path = programs.shell('long', 'sleep 300');
    const signal = AbortSignal.abort();
    const finished = await runProgram({
      path,
      args: [],
      environment: {},
      signal,
      onLine: () => undefined,
      graceMs: longGraceMs,
    });
    expect(finished.returnCode).toBe(-15);
  });
});

describe('a process that leaves the process group and keeps the output open', () => {
  it('does not delay the end of the run, and the output is kept', async () => {
    const child = programs.node('settler', line.script);
    const options = '{ detached: true, stdio: "inherit" }';
    const path = programs.node(
      'colonist',
      `const child = require("node:child_process").spawn(${JSON.stringify(child)}, ${options}); child.unref(); console.log("said"); `,
    );
    const signal = new AbortController().signal;
    const finished = await runProgram({ path, args: [], environment: {}, signal, onLine: () => undefined });
    expect(finished).toMatchObject({ returnCode: 0, stdout: expect.stringMatching(/^said$/m) });
  });
});
