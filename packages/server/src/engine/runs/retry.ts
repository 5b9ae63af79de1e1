/**
 * Runs callbacks of a state again. A retry is a new action with the same transition and new executions, and the outcomes of the
 * other callbacks carry over. The latest action must have ended, and the callbacks must still exist. Resolved executions are
 * never reopened.
 */
import { Problem } from '../../errors.ts';
import type { Author } from '../../store/record/history.ts';
import type { ActionExecution } from '../../store/experiments/move-inputs.ts';
import { openExecutions, recordOf } from '../experiments/change-state.ts';
import {
  commitChange,
  withExecution,
  withExperiment,
  type EngineContext,
  type Snapshot,
  type SnapshotChange,
} from '../experiments/optimistic-lock.ts';

const neitherSucceededNorSkipped = ({ status, result }: ActionExecution) =>
  status !== 'skipped' && result !== 'success';

/** Returns the id of the new action. */
export const retryExperiment = (context: EngineContext, experimentId: number, reason: string): Promise<number> =>
  withExperiment(context, experimentId, (snapshot) =>
    commitRetry(context, snapshot, planRetry(context, snapshot, reason)),
  );

export function planRetry({ author }: EngineContext, snapshot: Snapshot, reason: string): SnapshotChange {
  rejectWhileOpen(snapshot);
  const retried = snapshot.inputs.executions.filter(neitherSucceededNorSkipped);
  if (retried.length === 0) {
    throw new Problem('nothing_to_retry', `Every callback of ${snapshot.inputs.state_label} succeeded or was skipped.`);
  }
  return retry(author, snapshot, retried, reason);
}

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
    return commitRetry(context, snapshot, retry(context.author, snapshot, retried, reason));
  });

const commitRetry = async (context: EngineContext, snapshot: Snapshot, change: SnapshotChange) =>
  (await commitChange(context, snapshot, change))?.actionId ?? undefined;

export function rejectWhileOpen({ inputs }: Snapshot): void {
  const open = openExecutions(inputs).map(({ id, callback, status }) => `${callback} (execution ${id}) is ${status}`);
  if (open.length > 0) {
    throw new Problem('action_open', `The latest action has not ended: ${open.join(', ')}.`);
  }
}

function retry(
  author: Author,
  { inputs, state }: Snapshot,
  retried: readonly ActionExecution[],
  reason: string,
): SnapshotChange {
  const callbacks = retried.map((execution) => {
    const current = state.callbacks.find(({ id }) => id === execution.callback_id);
    if (current) return current;
    throw new Problem('callback_retired', `The callback ${execution.callback} is no longer part of ${state.label}.`);
  });
  const action = {
    author,
    transitionId: inputs.action_transition_id ?? 0,
    destination: state,
    callbacks,
    end: undefined,
    bulk: false,
    freetext: reason,
    retryOf: inputs.action_id ?? undefined,
    carried: inputs.executions.filter((execution) => !retried.includes(execution)).map(({ id }) => id),
  };
  const record = recordOf(author, inputs, action);
  const after = { ...record.after, retry_of: inputs.action_id };
  return { action, incidents: {}, records: [{ ...record, after }] };
}
