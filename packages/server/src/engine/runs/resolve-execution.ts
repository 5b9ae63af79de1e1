/**
 * Changes an execution. If that resolves the last open execution of the latest action, the same statement ends the action and
 * moves the experiment. An execution of a superseded action is recorded but changes nothing else.
 */
import type { Written } from '../../store/experiments/change/write-change.ts';
import type { ExecutionChange } from '../../store/experiments/change/update-execution.ts';
import type { ChangeRecord } from '../../store/experiments/change/change-records.ts';
import type { ExecutionInputs, MoveInputs } from '../../store/experiments/move-inputs.ts';
import { isResolved, openExecutions } from '../experiments/change-state.ts';
import { endAction } from '../experiments/end-action.ts';
import {
  commitChange,
  type EngineContext,
  type ExecutionSnapshot,
  type SnapshotChange,
} from '../experiments/optimistic-lock.ts';

/** `recorded` is added to the history. Returns undefined on a conflict. */
export async function changeExecution(
  context: EngineContext,
  snapshot: ExecutionSnapshot,
  change: ExecutionChange,
  recorded: object = {},
): Promise<Written | undefined> {
  const planned = await planExecutionChange(context, snapshot, change, recorded);
  const written = planned && (await commitChange(context, snapshot, planned));
  if (written && change.nextAttemptSeconds === 0) context.wake([snapshot.execution.queue]);
  return written;
}

/** The change with all that follows from it. Returns undefined on a conflict. */
export async function planExecutionChange(
  context: EngineContext,
  snapshot: ExecutionSnapshot,
  change: ExecutionChange,
  recorded: object = {},
): Promise<SnapshotChange | undefined> {
  const records = recordsOf(context, snapshot.execution, change, recorded);
  const inputs = withChange(snapshot.inputs, change);
  const ends =
    isResolved(change) &&
    !isResolved(snapshot.execution) &&
    snapshot.execution.action_id === inputs.action_id &&
    openExecutions(inputs).length === 0;
  const ended = ends ? await endAction(context, { ...snapshot, inputs }) : undefined;
  if (ends && !ended) return undefined;
  return {
    ...ended,
    execution: { ...change, attempt: snapshot.execution.attempt },
    records: [...records, ...(ended?.records ?? [])],
  };
}

/** The history has the outcome of the execution, with a hash of its values. Its attempts are records of their own. */
function recordsOf(
  { author }: EngineContext,
  { id, status, result, has_values: hadValues }: ExecutionInputs,
  change: ExecutionChange,
  recorded: object,
): ChangeRecord[] {
  const hashesValues = change.resultValues !== undefined && (hadValues || Object.keys(change.resultValues).length > 0);
  const isSame = change.status === status && change.result === result;
  if (isSame && !hashesValues && Object.keys(recorded).length === 0) return [];
  return [
    {
      author,
      objectKind: 'callback_execution',
      objectId: id,
      before: { status, result },
      after: { status: change.status, result: change.result, ...recorded },
      // An error can name a person. Events reach everybody who follows them, and are kept outside of this service.
      ...(change.lastError !== undefined && { unannounced: { error: change.lastError } }),
      ...(isResolved({ status }) && { eventData: { late: true } }),
      hashesValues,
    },
  ];
}

const withChange = (inputs: MoveInputs, { id, status, result, resultValues }: ExecutionChange): MoveInputs => ({
  ...inputs,
  executions: inputs.executions.map((execution) =>
    execution.id === id ? { ...execution, status, result, result_values: resultValues } : execution,
  ),
});
