/** How programs are ended: those that do not want to end, and those that leave somebody behind. */
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLifeLine, type LifeLine } from '../../testing/counterparts/life-line.ts';
import { createPrograms } from '../../testing/counterparts/programs.ts';
import { runProgram } from './run-program.ts';

const programs = createPrograms();
let line: LifeLine;
beforeAll(async () => {
  line = await createLifeLine();
});
afterAll(async () => {
  await line.stop();
  programs.remove();
});

/** So long that no slow machine reaches it. */
const longGraceMs = 3_600_000;

/** Runs it until it says this, then calls it off. `said` dispatches an event for each line. */
async function callOff(path: string, graceMs?: number, { readyLine = 'ready', said = new EventTarget() } = {}) {
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

describe('a program that is called off', () => {
  it('can end in its own way', async () => {
    const path = programs.node(
      'polite',
      'process.on("SIGTERM", () => { console.log("goodbye"); process.exit(7); }); console.log("ready"); setInterval(() => {}, 1000);',
    );
    expect(await callOff(path, longGraceMs)).toMatchObject({ returnCode: 7, stdout: 'ready\ngoodbye\n' });
  });

  it('and does not end is killed, with everything that it started', async () => {
    const stubborn = 'process.on("SIGTERM", () => {});';
    const child = programs.node('stubborn-child', `${stubborn} ${line.hold}`);
    const start = `require("node:child_process").spawn(${JSON.stringify(child)}, { stdio: "inherit" });`;
    const path = programs.node('stubborn', `${stubborn} ${start} setInterval(() => {}, 1000);`);
    expect(await callOff(path, 100, { readyLine: 'held' })).toMatchObject({ returnCode: -9 });
    await expect.poll(() => [line.seen(), line.alive()], { interval: 10 }).toEqual([1, 0]);
  });

  it('has 3 s, so that a worker that is stopped can still tell of it', async () => {
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
    const finished = callOff(path, undefined, { said });
    await asked;
    const pending = vi.getTimerCount();
    vi.advanceTimersByTime(2_999);
    expect(vi.getTimerCount()).toBe(pending);
    vi.advanceTimersByTime(1);
    expect(await finished).toMatchObject({ returnCode: -9, stdout: 'ready\nasked\n' });
  });

  it('before it begins is ended at once', async () => {
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

describe('a process that leaves the group and keeps the output open', () => {
  it('is not waited for, and what was said is kept', async () => {
    const child = programs.node('settler', line.hold);
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
