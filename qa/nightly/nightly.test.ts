import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { hangLimitMs } from '../../packages/server/testing/hang-limit.ts';
import { readProgress, writeProgress, type Progress } from './progress.ts';
import { runStage } from './run-stage.ts';
import { stages, stagesNamed, type NightlyStage } from './stages.ts';
import { summaryOf } from './summary.ts';

const folder = mkdtempSync(join(tmpdir(), 'milepost-nightly-'));
afterAll(() => rmSync(folder, { recursive: true }));

const progress: Progress = {
  commit: 'abc1234',
  seed: 42,
  started: '2026-11-16T01:23:00.000Z',
  finished: { race: { verdict: 'failed', seconds: 61.4, lines: ['one line per experiment: 1 fault'] } },
  interrupted: 'fuzz',
};

const stage = (name: string): NightlyStage => ({ name, what: `tries ${name}`, command: [name] });
const options = {
  root: process.cwd(),
  logFile: join(folder, 'stage.log'),
  seed: 42,
  signal: new AbortController().signal,
};
const script = (text: string): NightlyStage => ({ name: 'script', what: 'a script', command: ['node', '-e', text] });

describe('a stage', () => {
  it('passes if its program succeeds, and keeps the last lines of the output', async () => {
    const result = await runStage(script(`console.log('seed', process.env.MILEPOST_TEST_SEED)`), options);
    expect(result).toMatchObject({ verdict: 'passed', lines: ['seed 42'] });
  });

  it.each([
    ['ends with an error', script('process.exit(3)')],
    ['cannot be started', stage('/no/such/program')],
  ])('fails if its program %s', async (_why, failing) => {
    expect(await runStage(failing, options)).toMatchObject({ verdict: 'failed' });
  });

  it('stops together with all its processes when the run is aborted', async () => {
    const stop = new AbortController();
    const child = `const child = require('child_process').spawn('sleep', ['600'], { stdio: 'inherit' });
      console.log(child.pid)`;
    const running = runStage(script(child), { ...options, signal: stop.signal });
    const pid = await vi.waitUntil(() => Number(readFileSync(options.logFile, 'utf8')) || undefined, {
      timeout: hangLimitMs,
    });
    stop.abort();
    expect(await running).toBeUndefined();
    await vi.waitUntil(() => !existsSync(`/proc/${pid}`), { timeout: hangLimitMs });
  });
});

describe('a nightly run', () => {
  it('continues with the same seed and results on the same commit', () => {
    writeProgress(folder, progress);
    expect(readProgress(folder, { ...progress, seed: 7, finished: {} })).toEqual(progress);
  });

  it('starts over on another commit', () => {
    writeProgress(folder, progress);
    const fresh = { ...progress, commit: 'def5678', finished: {} };
    expect(readProgress(folder, fresh)).toEqual(fresh);
  });
});

describe('summaryOf', () => {
  it('lists failed, interrupted and unstarted stages', () => {
    const text = summaryOf(progress, [stage('race'), stage('fuzz'), stage('walks')], '2 cores');
    expect(text).toContain('Commit abc1234, seed 42, 2 cores.');
    expect(text).toContain('0 stages passed, 1 failed, 2 not finished.');
    expect(text).toContain('| race | failed | 61 | tries race |');
    expect(text).toContain('| fuzz | interrupted |  | tries fuzz |');
    expect(text).toContain('| walks | not started |  | tries walks |');
    expect(text).toContain('## race: failed\n\n```\none line per experiment: 1 fault\n```');
  });
});

describe('stagesNamed', () => {
  it('returns the named stages in the order of the list, and rejects an unknown name', () => {
    expect(stagesNamed(['walks', 'race']).map(({ name }) => name)).toEqual(['race', 'walks']);
    expect(() => stagesNamed(['rase'])).toThrow('Unknown stage "rase". Stages: timed-tests, ');
  });
});

describe('the nightly stages', () => {
  it('have unique names', () => {
    const names = stages.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('each run in one job of the nightly workflow', () => {
    const workflow = readFileSync(new URL('../../.github/workflows/nightly.yml', import.meta.url), 'utf8');
    const named = [...workflow.matchAll(/--stage ([\w-]+)/g)].map(([, name]) => name ?? '');
    expect(named.toSorted()).toEqual(stages.map(({ name }) => name).toSorted());
  });
});
