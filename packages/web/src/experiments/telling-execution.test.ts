import { describe, expect, it } from 'vitest';
import type { ExperimentRow } from './experiment-row.ts';
import { tellingExecution } from './telling-execution.ts';

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

describe('the execution that tells most', () => {
  it('is the one that failed, before one that runs', () => {
    const telling = tellingExecution(
      row([execution('a', { status: 'running' }), execution('b', { result: 'failed' }), execution('c', {})]),
    );
    expect(telling).toMatchObject({ outcome: 'failed', execution: { callback: 'b' } });
  });

  it('is retried where another attempt is due', () => {
    const next_attempt_at = '2026-11-15T12:00:00Z';
    expect(tellingExecution(row([execution('a', { status: 'running', next_attempt_at })]))?.outcome).toBe('retrying');
  });

  it('is none where the experiment is blocked', () => {
    const incident = { id: 1, kind: 'no_way_on' as const, detail: '', opened_at: '', execution_id: null };
    expect(tellingExecution(row([execution('a', {})], [incident]))).toEqual({
      outcome: 'blocked',
      execution: undefined,
    });
  });

  it('is not there where nothing runs', () => {
    expect(tellingExecution(row([]))).toBeUndefined();
  });
});
