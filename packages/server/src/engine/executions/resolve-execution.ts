/**
 * Changes an execution, and when that resolved the last one of the latest action, ends the action and moves on in the same
 * statement (rules 1, 4 and 11). Of an action that was left behind, an execution is recorded and changes nothing else.
 */
import type { Written } from '../../store/changes.ts';
import type { ExecutionChange } from '../../store/changes-of-executions.ts';
import type { ChangeRecord } from '../../store/changes-record.ts';
import type { ExecutionInputs, MoveInputs } from '../../store/move-inputs.ts';
import { isResolved, openExecutions } from '../change-state.ts';
import { endAction } from '../end-action.ts';
import { write, type Moving, type Seen } from '../settle.ts';

export type SeenExecution = Seen & { execution: ExecutionInputs };

/** Undefined where something changed since it was read. */
export async function changeExecution(
  moving: Moving,
  seen: SeenExecution,
  change: ExecutionChange,
): Promise<Written | undefined> {
  const records = recordsOf(moving, seen.execution, change);
  const inputs = withChange(seen.inputs, change);
  const ends =
    isResolved(change) &&
    !isResolved(seen.execution) &&
    seen.execution.action_id === inputs.action_id &&
    openExecutions(inputs).length === 0;
  const ended = ends ? await endAction(moving, { ...seen, inputs }) : undefined;
  const written = await write(moving, seen, {
    ...ended,
    execution: change,
    records: [...records, ...(ended?.records ?? [])],
  });
  if (written && change.nextAttemptSeconds === 0) moving.wake([seen.execution.queue]);
  return written;
}

/** Attempts that follow each other are told by the attempts; the history says what became of the execution. */
function recordsOf(
  { author }: Moving,
  { id, status, result }: ExecutionInputs,
  change: ExecutionChange,
): ChangeRecord[] {
  const told = { ...(change.resultValues && { result_values: change.resultValues }) };
  if (change.status === status && change.result === result && Object.keys(told).length === 0) return [];
  const error = change.lastError === undefined ? {} : { error: change.lastError };
  return [
    {
      author,
      objectKind: 'callback_execution',
      objectId: id,
      before: { status, result },
      after: { status: change.status, result: change.result, ...told, ...error },
    },
  ];
}

const withChange = (inputs: MoveInputs, { id, status, result, resultValues }: ExecutionChange): MoveInputs => ({
  ...inputs,
  executions: inputs.executions.map((execution) =>
    execution.id === id
      ? { ...execution, status, result, result_values: resultValues ?? execution.result_values }
      : execution,
  ),
});
