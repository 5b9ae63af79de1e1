/**
 * Runs callbacks of a state again (rule 12): a new action with the same transition, staying in the state, with new
 * executions; the outcomes of the others carry over. It needs an ended latest action and callbacks that still live. What is
 * resolved is never reopened.
 */
import { Problem } from '../../errors.ts';
import type { OpenOrEndedExecution } from '../../store/move-inputs.ts';
import { openExecutions, recordOf } from '../change-state.ts';
import { settleExecution, settleExperiment, write, type Moving, type Seen } from '../settle.ts';

const neitherWellNorSkipped = ({ status, result }: OpenOrEndedExecution) =>
  status !== 'skipped' && result !== 'success';

/** Answers the id of the new action. */
export const retryExperiment = (moving: Moving, experimentId: number, reason: string): Promise<number> =>
  settleExperiment(moving, experimentId, async (seen) => {
    refuseWhileOpen(seen);
    const renewed = seen.inputs.executions.filter(neitherWellNorSkipped);
    if (renewed.length === 0) {
      throw new Problem('nothing_to_retry', `Every callback of ${seen.inputs.state_label} succeeded or was skipped.`);
    }
    return retry(moving, seen, renewed, reason);
  });

export const retryExecution = (moving: Moving, executionId: number, reason: string): Promise<number> =>
  settleExecution(moving, executionId, async (seen) => {
    refuseWhileOpen(seen);
    const renewed = seen.inputs.executions.filter(({ id }) => id === executionId);
    if (renewed.length === 0) {
      throw new Problem(
        'nothing_to_retry',
        'The experiment has moved on since this execution ran: a later action has taken its place.',
      );
    }
    return retry(moving, seen, renewed, reason);
  });

export function refuseWhileOpen({ inputs }: Seen): void {
  const open = openExecutions(inputs).map(({ id, callback, status }) => `${callback} (execution ${id}) is ${status}`);
  if (open.length > 0) {
    throw new Problem('action_open', `The latest action has not ended: ${open.join(', ')}.`);
  }
}

async function retry(
  moving: Moving,
  seen: Seen,
  renewed: readonly OpenOrEndedExecution[],
  reason: string,
): Promise<number | undefined> {
  const { inputs, state } = seen;
  const callbacks = renewed.map((execution) => {
    const living = state.callbacks.find(({ id }) => id === execution.callback_id);
    if (living) return living;
    throw new Problem('callback_retired', `The callback ${execution.callback} is no longer part of ${state.label}.`);
  });
  const action = {
    author: moving.author,
    transitionId: inputs.action_transition_id ?? 0,
    destination: state,
    callbacks,
    end: undefined,
    freetext: reason,
    retryOf: inputs.action_id ?? undefined,
    carried: inputs.executions.filter((execution) => !renewed.includes(execution)).map(({ id }) => id),
  };
  const record = recordOf(moving.author, inputs, action);
  const after = { ...record.after, retry_of: inputs.action_id };
  const written = await write(moving, seen, { action, incidents: {}, records: [{ ...record, after }] });
  return written?.actionId ?? undefined;
}
