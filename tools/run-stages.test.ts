import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runStages } from './run-stages.ts';

const printed = { log: [] as string[], error: [] as string[] };
beforeEach(() => {
  printed.log = [];
  printed.error = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.log.push(line));
  vi.spyOn(console, 'error').mockImplementation((line: string) => void printed.error.push(line));
});
afterEach(() => vi.restoreAllMocks());

const node = (name: string, script: string) => ({ name, command: ['node', '-e', script] as const });

describe('runStages', () => {
  it('prints the duration of each stage, but no output of successful stages', async () => {
    expect(await runStages([node('quiet', 'console.log("a lot")')])).toBe(true);
    expect(printed.log).toEqual([expect.stringMatching(/^ok {5}quiet {6}\d+\.\d s$/)]);
    expect(printed.error).toEqual([]);
  });

  it('prints stdout and stderr of a failed stage', async () => {
    const script = 'console.log("found"); console.error("a fault"); process.exitCode = 3';
    expect(await runStages([node('good', ''), node('bad', script)])).toBe(false);
    expect(printed.log.toSorted()).toEqual([
      expect.stringMatching(/^failed bad /),
      expect.stringMatching(/^ok {5}good /),
    ]);
    expect(printed.error.join()).toMatch(/--- bad\n(found\na fault|a fault\nfound)$/);
  });

  it('fails if a program does not exist or is killed', async () => {
    expect(await runStages([{ name: 'absent', command: ['no-such-program'] }])).toBe(false);
    expect(printed.error.join()).toContain('no-such-program');
    expect(await runStages([node('killed', 'process.kill(process.pid, "SIGKILL")')])).toBe(false);
  });
});
