/**
 * Runs callbacks of a state again. A retry is a new action with the same transition and new executions, and the outcomes of the
 * other callbacks carry over. The latest action must have ended, and the callbacks must still exist. Resolved executions are
 * never reopened.
 */
import { Problem } from '../../errors.ts';
import type { ActionExecution } from '../../store/experiments/move-inputs.ts';
import { openExecutions, recordOf } from '../experiments/change-state.ts';
import {
  commitChange,
  withExecution,
  withExperiment,
  type EngineContext,
  type Snapshot,
} from '../experiments/optimistic-lock.ts';

const neitherSucceededNorSkipped = ({ status, result }: ActionExecution) =>
  status !== 'skipped' && result !== 'success';

/** Returns the id of the new action. */
export const retryExperiment = (context: EngineContext, experimentId: number, reason: string): Promise<number> =>
  withExperiment(context, experimentId, async (snapshot) => {
    rejectWhileOpen(snapshot);
    const retried = snapshot.inputs.executions.filter(neitherSucceededNorSkipped);
    if (retried.length === 0) {
      throw new Problem(
        'nothing_to_retry',
        `Every callback of ${snapshot.inputs.state_label} succeeded or was skipped.`,
      );
    }
    return retry(context, snapshot, retried, reason);
  });

export const retryExecution = (context: EngineContext, executionId: number, reason: string): Promise<number> =>
  withExecution(context, executionId, async (snapshot) => {
    rejectWhileOpen(snapshot);
    const retried = snapshot.inputs.executions.filter(({ id }) => id === executionId);
    if (retried.length === 0) {
      throw new Problem(
        'nothing_to_retry',
        'A later action has replaced the action of this execution, so it cannot be retried.',
      );
    }
    return retry(context, snapshot, retried, reason);
  });

export function rejectWhileOpen({ inputs }: Snapshot): void {
  const open = openExecutions(inputs).map(({ id, callback, status }) => `${callback} (execution ${id}) is ${status}`);
  if (open.length > 0) {
    throw new Problem('action_open', `The latest action has not ended: ${open.join(', ')}.`);
  }
}

async function retry(
  context: EngineContext,
  snapshot: Snapshot,
  retried: readonly ActionExecution[],
  reason: string,
): Promise<number | undefined> {
  const { inputs, state } = snapshot;
  const callbacks = retried.map((execution) => {
    const current = state.callbacks.find(({ id }) => id === execution.callback_id);
    if (current) return current;
    throw new Problem('callback_retired', `The callback ${execution.callback} is no longer part of ${state.label}.`);
  });
  const action = {
    author: context.author,
    transitionId: inputs.action_transition_id ?? 0,
    destination: state,
    callbacks,
    end: undefined,
    bulk: false,
    freetext: reason,
    retryOf: inputs.action_id ?? undefined,
    carried: inputs.executions.filter((execution) => !retried.includes(execution)).map(({ id }) => id),
  };
  const record = recordOf(context.author, inputs, action);
  const after = { ...record.after, retry_of: inputs.action_id };
  const written = await commitChange(context, snapshot, { action, incidents: {}, records: [{ ...record, after }] });
  return written?.actionId ?? undefined;
}
