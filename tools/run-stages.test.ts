import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runStages } from './run-stages.ts';

const said = { log: [] as string[], error: [] as string[] };
beforeEach(() => {
  said.log = [];
  said.error = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.log.push(line));
  vi.spyOn(console, 'error').mockImplementation((line: string) => void said.error.push(line));
});
afterEach(() => vi.restoreAllMocks());

const node = (name: string, script: string) => ({ name, command: ['node', '-e', script] as const });

it('prints the duration of each stage and no output of those that succeed', async () => {
  expect(await runStages([node('quiet', 'console.log("a lot")')])).toBe(true);
  expect(said.log).toEqual([expect.stringMatching(/^ok {5}quiet {6}\d+\.\d s$/)]);
  expect(said.error).toEqual([]);
});

it('prints stdout and stderr of a failed stage', async () => {
  const script = 'console.log("found"); console.error("a fault"); process.exitCode = 3';
  expect(await runStages([node('good', ''), node('bad', script)])).toBe(false);
  expect(said.log.toSorted()).toEqual([expect.stringMatching(/^failed bad /), expect.stringMatching(/^ok {5}good /)]);
  expect(said.error.join()).toMatch(/--- bad\n(found\na fault|a fault\nfound)$/);
});

it('fails if a program does not exist or was killed', async () => {
  expect(await runStages([{ name: 'absent', command: ['no-such-program'] }])).toBe(false);
  expect(said.error.join()).toContain('no-such-program');
  expect(await runStages([node('killed', 'process.kill(process.pid, "SIGKILL")')])).toBe(false);
});
