/** The span of an attempt. Its parent is the change that started the run, in another process and possibly long before. */
import type { RunEnd } from '../engine/runs/end-run.ts';
import type { RunningAttempt } from '../engine/runs/start-attempts.ts';
import type { Span, SpanOptions } from '../tracing/span.ts';

export const attemptSpan = ({ execution, attempt }: RunningAttempt): SpanOptions => ({
  kind: 'consumer',
  attributes: {
    'milepost.execution.id': execution.id,
    'milepost.attempt': attempt,
    'milepost.callback': execution.label,
    'milepost.function': execution.function,
    'milepost.experiment.id': execution.experiment_id,
    'milepost.workflow.id': execution.workflow_id,
  },
});

/** The reason of a failure is not recorded, because it can quote the answer of another server. */
export function describeEnd(span: Span, end: RunEnd): void {
  const outcome = end.kind === 'ended' ? end.result : end.kind;
  span.set({ 'milepost.outcome': outcome });
  if (failures.has(outcome)) span.fail(outcome);
}

const failures: ReadonlySet<string> = new Set(['failed', 'temporary', 'permanent']);
