/** A span for each change of an experiment that belongs to a trace. Changes that one statement writes begin and end together. */
import type { Change, WriteOutcome } from '../../store/experiments/change/write-change.ts';
import type { MoveInputs } from '../../store/experiments/move-inputs.ts';
import { errorType, type Span, type TraceContext } from '../../tracing/span.ts';

interface TracedChange {
  trace?: TraceContext | undefined;
  snapshot: { inputs: MoveInputs };
  change: Pick<Change, 'action' | 'execution'>;
}

/**
 * `write` gets the place of each change in its trace. The jobs that a change inserts continue there. `outcomeOf` says whether the change
 * of an experiment was written.
 */
export async function inChangeSpans<T>(
  planned: readonly TracedChange[],
  write: (traceparents: readonly (string | undefined)[]) => Promise<T>,
  outcomeOf: (written: T, experimentId: number) => WriteOutcome,
): Promise<T> {
  if (!planned.some(({ trace }) => trace)) return write([]);
  const spans = planned.map(startSpan);
  try {
    const written = await write(spans.map((span) => span?.traceparent));
    for (const [index, { snapshot }] of planned.entries()) {
      const outcome = outcomeOf(written, snapshot.inputs.id);
      if (typeof outcome !== 'object') spans[index]?.fail(outcome ?? 'conflict');
    }
    return written;
  } catch (error) {
    for (const span of spans) span?.fail(errorType(error));
    throw error;
  } finally {
    for (const span of spans) span?.end();
  }
}

function startSpan({ trace, snapshot: { inputs }, change: { action, execution } }: TracedChange): Span | undefined {
  return trace?.startSpan('change experiment', {
    attributes: {
      'milepost.experiment.id': inputs.id,
      'milepost.workflow.id': inputs.workflow_id,
      'milepost.state': inputs.state_label,
      ...(action && { 'milepost.next_state': action.destination.label }),
      ...(execution && { 'milepost.execution.id': execution.id, 'milepost.execution.status': execution.status }),
    },
  });
}
