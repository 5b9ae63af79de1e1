/**
 * Changes executions of different experiments with one statement that reads them and one that writes them. Executions
 * whose experiment or workflow is locked or has changed are skipped, and so are all but one of the same experiment. The caller changes
 * them one by one.
 */
import type { ExecutionChange } from '../../store/experiments/change/update-execution.ts';
import {
  commitChanges,
  readExecutions,
  type EngineContext,
  type ExecutionSnapshot,
} from '../experiments/optimistic-lock.ts';
import type { TraceContext } from '../../tracing/span.ts';
import { findValuesTogether } from '../experiments/read-values.ts';
import { planExecutionChange } from './resolve-execution.ts';

/** Larger batches save little, and they hold their locks longer. */
export const maxTogether = 50;

interface RuledChange {
  change: ExecutionChange;
  trace?: TraceContext | undefined;
}

type Rule = (snapshot: ExecutionSnapshot) => RuledChange | undefined;

/** The ids of the changed executions. `rule` returns undefined for those that it leaves to the caller. */
export async function changeTogether(
  context: EngineContext,
  executionIds: readonly number[],
  rule: Rule,
): Promise<ReadonlySet<number>> {
  const snapshots = onePerExperiment(await readExecutions(context, executionIds));
  const planning = { ...context, findValues: findValuesTogether(context) };
  const planned = await Promise.all(snapshots.map((snapshot) => plan(planning, snapshot, rule)));
  const ready = planned.filter((one) => one !== undefined);
  const written = await commitChanges(context, ready);
  const changed = ready.filter(({ snapshot }) => written.has(snapshot.inputs.id));
  const queues = changed.filter(({ restarts }) => restarts).map(({ snapshot }) => snapshot.execution.queue);
  if (queues.length > 0) context.wake([...new Set(queues)]);
  return new Set(changed.map(({ snapshot }) => snapshot.execution.id));
}

const onePerExperiment = (snapshots: readonly ExecutionSnapshot[]): ExecutionSnapshot[] => [
  ...new Map(snapshots.map((snapshot) => [snapshot.inputs.id, snapshot])).values(),
];

async function plan(context: EngineContext, snapshot: ExecutionSnapshot, rule: Rule) {
  const ruled = snapshot.inputs.withdrawn ? undefined : rule(snapshot);
  const change = ruled && (await planExecutionChange(context, snapshot, ruled.change));
  return change && { snapshot, change, trace: ruled.trace, restarts: ruled.change.nextAttemptSeconds === 0 };
}
