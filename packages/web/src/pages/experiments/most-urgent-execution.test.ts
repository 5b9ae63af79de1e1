import { describe, expect, it } from 'vitest';
import type { ExperimentRow } from './experiment-rows.ts';
import { mostUrgentExecution } from './most-urgent-execution.ts';

type Execution = ExperimentRow['executions'][number];

const execution = (callback: string, change: Partial<Execution>): Execution => ({
  id: 1,
  callback,
  status: 'finished',
  result: 'success',
  attempt: 1,
  next_attempt_at: null,
  ...change,
});

const row = (executions: Execution[], incidents: ExperimentRow['incidents'] = []) =>
  ({ executions, incidents }) as unknown as ExperimentRow;

describe('mostUrgentExecution', () => {
  it('prefers a failed run to an active run', () => {
    const mostUrgent = mostUrgentExecution(
      row([execution('a', { status: 'running' }), execution('b', { result: 'failed' }), execution('c', {})]),
    );
    expect(mostUrgent).toMatchObject({ outcome: 'failed', execution: { callback: 'b' } });
  });

  it('reports an active run with a scheduled attempt as retrying', () => {
    const next_attempt_at = '2026-11-15T12:00:00Z';
    const retrying = execution('a', { status: 'running', next_attempt_at });
    expect(mostUrgentExecution(row([retrying]))?.outcome).toBe('retrying');
  });

  it('returns the outcome "blocked" and no run for a blocked experiment', () => {
    const incident = { id: 1, kind: 'no_way_on' as const, cause: null, detail: '', opened_at: '', execution_id: null };
    expect(mostUrgentExecution(row([execution('a', {})], [incident]))).toEqual({
      outcome: 'blocked',
      execution: undefined,
    });
  });

  it('returns undefined if there are no runs', () => {
    expect(mostUrgentExecution(row([]))).toBeUndefined();
  });
});
