import { describe, expect, it } from 'vitest';
import { remedyFor } from './remedy.ts';
import type { Overview } from './use-experiment.ts';

type Kind = Overview['incidents'][number]['kind'];
type Execution = Overview['executions'][number];

const incident = (kind: Kind) => ({ id: 1, kind, cause: null, detail: '', opened_at: '', execution_id: 9 });
const execution = (callback: string, result: Execution['result']): Execution => ({
  id: 9,
  callback,
  status: 'finished',
  result,
  attempt: 1,
  next_attempt_at: null,
});

const remedy = (kind: Kind, ...executions: Execution[]) => remedyFor({ incidents: [incident(kind)], executions });

describe('remedyFor', () => {
  it('suggests a retry that names the failed callback', () => {
    expect(remedy('failed', execution('segment', 'failed'), execution('notify', 'success'))).toEqual({
      operation: 'retry',
      name: 'Retry segment',
    });
  });

  it('suggests one retry for all failed callbacks', () => {
    expect(remedy('timed_out', execution('one', 'timeout'), execution('two', 'failed'))?.name).toBe(
      'Retry 2 callbacks',
    );
  });

  it('omits a long callback label from the name of the button', () => {
    expect(remedy('failed', execution('x'.repeat(255), 'failed'))?.name).toBe('Retry');
  });

  it.each<Kind>(['no_way_on', 'brake'])('suggests re-evaluation for the incident %s', (kind) => {
    expect(remedy(kind, execution('segment', 'success'))?.operation).toBe('evaluate');
  });

  it('suggests nothing for an unclaimed run or an experiment without incidents', () => {
    expect(remedy('unclaimed')).toBeUndefined();
    expect(remedyFor({ incidents: [], executions: [] })).toBeUndefined();
  });
});
