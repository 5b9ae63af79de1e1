import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readProgress, writeProgress, type Progress } from './progress.ts';
import { stages, type NightlyStage } from './stages.ts';
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

describe('the progress of a night', () => {
  it('continues with the same seed and results on the same commit', () => {
    writeProgress(folder, progress);
    expect(readProgress(folder, { ...progress, seed: 7, finished: {} })).toEqual(progress);
  });

  it('starts again on another commit', () => {
    writeProgress(folder, progress);
    const fresh = { ...progress, commit: 'def5678', finished: {} };
    expect(readProgress(folder, fresh)).toEqual(fresh);
  });
});

const stage = (name: string): NightlyStage => ({ name, what: `tries ${name}`, command: [name] });

it('summarises what passed, failed, was interrupted and was not started', () => {
  const text = summaryOf(progress, [stage('race'), stage('fuzz'), stage('walks')], '2 cores');
  expect(text).toContain('Commit abc1234, seed 42, 2 cores.');
  expect(text).toContain('0 stages passed, 1 failed, 2 not finished.');
  expect(text).toContain('| race | failed | 61 | tries race |');
  expect(text).toContain('| fuzz | interrupted |  | tries fuzz |');
  expect(text).toContain('| walks | not started |  | tries walks |');
  expect(text).toContain('## race: failed\n\n```\none line per experiment: 1 fault\n```');
});

it('names every stage once', () => {
  const names = stages.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
