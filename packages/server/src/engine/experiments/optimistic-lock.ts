/**
 * Optimistic locking for changes to an experiment. A change reads a snapshot, evaluates its rule, and commits with one statement
 * that takes effect only if the experiment and its workflow are unchanged. On a conflict it starts over with a new snapshot, so
 * two concurrent changes never both act on the same state.
 */
import type { Db } from '../../database/connection.ts';
import { Conflict, retryOnConflict } from '../../database/retry-on-conflict.ts';
import { problemFromDatabase } from '../../database/problem-from-database.ts';
import { Problem } from '../../errors.ts';
import {
  writeChange,
  writeChanges,
  type Change,
  type Locked,
  type Written,
} from '../../store/experiments/change/write-change.ts';
import type { Caller } from '../../store/people/caller.ts';
import type { Author } from '../../store/record/history.ts';
import {
  getInputsForSecret,
  getInputsOfExecution,
  getMoveInputs,
  getMoveInputsFor,
  listInputsOfExecutions,
  listMoveInputs,
  type ExecutionInputs,
  type InputsOfExecution,
  type MoveInputs,
} from '../../store/experiments/move-inputs.ts';
import { allCohorts, type Scope } from '../../store/scope.ts';
import { subjectWithdrawn } from '../../store/study/withdrawals.ts';
import type { TraceContext } from '../../tracing/span.ts';
import { hashSecret } from '../runs/secrets.ts';
import { inChangeSpans } from './change-spans.ts';
import type { WorkflowLocks } from './workflow-locks.ts';
import type { FindConditionValues } from '../../store/experiments/condition-values.ts';
import type { StateModel, WorkflowModel, WorkflowModels } from './workflow-model.ts';

export interface EngineContext {
  db: Db;
  /** Empty until the caller is confirmed. */
  scope: Scope;
  /** The user on whose behalf the change is made. */
  caller?: Caller;
  /** The program that sent the secret of an attempt. */
  program?: Program | undefined;
  author: Author;
  /** Where changes belong in a trace. Undefined if traces are off. */
  trace?: TraceContext | undefined;
  models: WorkflowModels;
  /** The largest result values of a run, as JSON. */
  maxValuesBytes: number;
  /** Waits for workflows that are being imported. Without it, a change of their experiments fails at once with `busy`. */
  locks?: WorkflowLocks | undefined;
  /** Throws if the caller expects a different version of the changed object. */
  requireVersion?: (version: number) => void;
  /** Notifies workers of new jobs. Without it, they find the jobs within a second by polling. */
  wake: (queues: readonly string[]) => void;
  /** Finds values for conditions. By default, each rule sends a statement of its own. */
  findValues?: FindConditionValues;
  /** Reports the error of one execution, while the others of its batch continue. */
  onError: (error: unknown) => void;
}

export interface Program {
  /** 0 until the secret is confirmed. */
  attempt: number;
  secret: string;
  /** Throws if the secret is wrong. */
  confirm?: ((attempt: number | null) => Promise<void>) | undefined;
}

/** An experiment as it was read, with the workflow definition that applies to it. */
export interface Snapshot {
  inputs: MoveInputs;
  model: WorkflowModel;
  state: StateModel;
}

export type ExecutionSnapshot = Snapshot & { execution: ExecutionInputs };

/** Returns undefined on a conflict with another change. */
export type Rule<S, T> = (snapshot: S) => Promise<T | undefined>;

export const withExperiment = <T>(context: EngineContext, experimentId: number, rule: Rule<Snapshot, T>): Promise<T> =>
  changeExperiment(
    context,
    async () => {
      const inputs = await readMoveInputs(context, experimentId);
      context.requireVersion?.(inputs.version);
      return { inputs };
    },
    rule,
  );

async function readMoveInputs(context: EngineContext, experimentId: number): Promise<MoveInputs> {
  const { db, scope, caller } = context;
  if (!caller?.confirm) return getMoveInputs(db, scope, experimentId);
  const inputs = await getMoveInputsFor(db, caller, experimentId);
  context.scope = caller.scope;
  return inputs;
}

export const withExecution = <T>(
  context: EngineContext,
  executionId: number,
  rule: Rule<ExecutionSnapshot, T>,
): Promise<T> =>
  changeExperiment(
    context,
    async () => {
      const found = await readInputsOfExecution(context, executionId);
      context.requireVersion?.(found.execution.version);
      return found;
    },
    rule,
  );

/** Until the caller's secret is confirmed, its attempt is read in the same statement. */
async function readInputsOfExecution(context: EngineContext, executionId: number): Promise<InputsOfExecution> {
  const { db, scope, program } = context;
  if (!program?.confirm) return getInputsOfExecution(db, scope, executionId);
  const { secret, confirm } = program;
  const found = await getInputsForSecret(db, { secretHash: hashSecret(secret), confirm }, executionId);
  context.scope = allCohorts;
  return found;
}

/** Undefined for those whose workflow is changing. Those that do not exist are left out. One after the other, so that each definition is read once. */
export async function readExperiments(
  context: EngineContext,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Snapshot | undefined>> {
  const found = await listMoveInputs(context.db, context.scope, ids);
  const snapshots = new Map<number, Snapshot | undefined>();
  for (const inputs of found) snapshots.set(inputs.id, await readSnapshot(context, async () => ({ inputs })));
  return snapshots;
}

/** Those that exist and whose workflow is unchanged. */
export async function readExecutions(context: EngineContext, ids: readonly number[]): Promise<ExecutionSnapshot[]> {
  const found = await listInputsOfExecutions(context.db, context.scope, ids);
  const snapshots = await Promise.all(found.map((one) => readSnapshot(context, async () => one)));
  return snapshots.filter((snapshot) => snapshot !== undefined);
}

const changeExperiment = <R extends { inputs: MoveInputs }, T>(
  context: EngineContext,
  readInputs: () => Promise<R>,
  rule: Rule<R & Snapshot, T>,
): Promise<T> =>
  repeatChange(context, async () => {
    const snapshot = await readSnapshot(context, readInputs);
    return snapshot && rule(snapshot);
  });

/**
 * Repeats a change until it returns something other than undefined. A change that is part of a transaction is not repeated here,
 * because it would wait with a connection: the request rolls back and repeats the transaction (http/idempotency.ts).
 */
export function repeatChange<T>({ db }: EngineContext, change: () => Promise<T | undefined>): Promise<T> {
  const once = async () => {
    const result = await change();
    if (result !== undefined) return result;
    throw new Conflict('Other requests keep changing this experiment or its workflow.');
  };
  return db.isTransaction ? once() : retryOnConflict(once);
}

/** Undefined if the workflow changed between reading the experiment and reading its definition. */
async function readSnapshot<R extends { inputs: MoveInputs }>(
  { db, models }: EngineContext,
  readInputs: () => Promise<R>,
): Promise<(R & Snapshot) | undefined> {
  const found = await readInputs();
  const { workflow_id: workflowId, revision, state_id: stateId } = found.inputs;
  const model = await models.get(db, workflowId, revision);
  const state = model?.states.get(stateId) ?? withdrawnState(found.inputs);
  return model?.revision === revision && state ? { ...found, model, state } : undefined;
}

/** Experiments of a withdrawn subject never move, so they can be in a state that an import has retired. */
const withdrawnState = ({ withdrawn, state_id: id, state_label: label }: MoveInputs): StateModel | undefined =>
  withdrawn ? { id, label, title: null, transitions: [], callbacks: [], decision: null } : undefined;

export type SnapshotChange = Omit<
  Change,
  'experimentId' | 'version' | 'workflowId' | 'revision' | 'stateId' | 'rests' | 'traceparent'
>;

/** Throws if an import has locked the workflow. */
export function rejectLocked<T>({ locks }: EngineContext, workflowId: number, written: T | Locked): T {
  if (written !== 'locked') return written;
  const detail = 'The workflow is being changed.';
  if (locks) throw new Conflict(detail, (_tries, deadline) => locks.wait(workflowId, deadline));
  throw new Problem('busy', `${detail} Nothing was saved. Try again in 1 second.`, { retryAfterSeconds: 1 });
}

/** Returns undefined on a conflict. Throws if the subject has withdrawn, whatever the change is. */
export async function commitChange(
  context: EngineContext,
  snapshot: Snapshot,
  change: SnapshotChange,
): Promise<Written | undefined> {
  const { inputs, model } = snapshot;
  if (inputs.withdrawn) throw subjectWithdrawn();
  const outcome = await inChangeSpans(
    [{ snapshot, change, trace: context.trace }],
    ([traceparent]) => writeChange(context.db, changeOf(snapshot, change, traceparent)),
    (written) => written,
  );
  const written = rejectLocked(context, model.id, outcome);
  if (written) context.wake(queuesOf(change));
  return written;
}

const queuesOf = ({ action }: SnapshotChange) => action?.callbacks.map(({ queue }) => queue) ?? [];

function changeOf({ inputs, model }: Snapshot, change: SnapshotChange, traceparent: string | undefined): Change {
  const { incidents, ...parts } = change;
  return {
    ...parts,
    // Opening an incident raises the version, so there is nothing to close if there was nothing to read.
    ...(incidents && (incidents.open || inputs.has_incidents) && { incidents }),
    experimentId: inputs.id,
    version: inputs.version,
    workflowId: model.id,
    revision: model.revision,
    stateId: inputs.state_id,
    rests: comesToRest(model, inputs.state_id, change),
    traceparent,
  };
}

/** An experiment rests if nothing runs for it, it has no incident, and it is not in a final state. */
function comesToRest(
  { states }: WorkflowModel,
  stateId: number,
  { action, ending, incidents }: SnapshotChange,
): boolean | undefined {
  const isFinal = (id: number) => states.get(id)?.transitions.length === 0;
  if (action) return action.callbacks.length === 0 && !isFinal(action.destination.id) ? true : undefined;
  return ending && !incidents?.open && !isFinal(stateId);
}

export interface PlannedChange {
  snapshot: Snapshot;
  change: SnapshotChange;
  trace?: TraceContext | undefined;
}

/**
 * Commits changes of different experiments with one statement. Returns the ids of those that were written. The others have changed, or
 * another transaction has locked them or their workflow.
 */
export async function commitChanges(
  context: EngineContext,
  planned: readonly PlannedChange[],
): Promise<ReadonlySet<number>> {
  if (planned.length === 0) return new Set();
  const outcomes = await inChangeSpans(
    planned,
    (traceparents) =>
      writeChanges(
        context.db,
        planned.map(({ snapshot, change }, index) => changeOf(snapshot, change, traceparents[index])),
      ),
    (written, id) => written.get(id),
  );
  const written = planned.filter(({ snapshot }) => typeof outcomes.get(snapshot.inputs.id) === 'object');
  context.wake([...new Set(written.flatMap(({ change }) => queuesOf(change)))]);
  return new Set(written.map(({ snapshot }) => snapshot.inputs.id));
}

/**
 * The error of one execution must not affect the others of its batch. `busy`: an import has locked its workflow, or others keep
 * changing its experiment. `unavailable`: there was no connection. `failed`: any other error. All but `busy` are reported.
 */
export const orFailure = <T>(
  { onError }: EngineContext,
  work: Promise<T>,
): Promise<T | 'busy' | 'unavailable' | 'failed'> =>
  work.catch((error: unknown) => {
    const { code } = error instanceof Problem ? error : (problemFromDatabase(error) ?? {});
    if (code === 'busy') return 'busy';
    onError(error);
    return code === 'database_unavailable' ? 'unavailable' : 'failed';
  });
