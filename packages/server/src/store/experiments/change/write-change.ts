/**
 * Writes every change that the engine makes to experiments in one statement: a changed execution, the end of an action, a new
 * action, or several of them (rule 1; specification, section 3). An experiment that has changed since it was read, or whose workflow
 * has, is left as it is, and the engine evaluates its change again.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../database/connection.ts';
import { arrayOf, columnsOf, rowsOf, type Columns } from '../../../database/given-rows.ts';
import { prepare, type Bind, type Prepared } from '../../../database/prepare.ts';
import { countMoveSql, countMovesSql } from '../state-counts.ts';
import { insertPaceSql } from '../../runs/retry-pace.ts';
import { restColumns, restSql } from '../resting.ts';
import { closeIncidentsSql, incidentColumns, openIncidentsSql, type IncidentChange } from './change-incidents.ts';
import { insertRecordsSql, recordRows, type ChangeRecord, type RecordRow } from './change-records.ts';
import { endActionSql, endingColumns, setVariablesSql, variableColumns, type ActionEnding } from './end-action.ts';
import {
  callCallbacksSql,
  calledBy,
  entryColumns,
  insertActionsSql,
  supersededColumns,
  supersedeSql,
  traceColumns,
  type CalledCallback,
  type NewAction,
} from './enter-state.ts';
import {
  causeColumns,
  endAttemptsSql,
  executionColumns,
  leaveQueueSql,
  nextAttemptsSql,
  updateExecutionsSql,
  type ExecutionUpdate,
} from './update-execution.ts';

export interface Change {
  experimentId: number;
  /** The version that was read. Nothing is written if it has changed. */
  version: number;
  workflowId: number;
  /** The revision that was read. Nothing is written if it has changed. */
  revision: number;
  /** The state that was read. */
  stateId: number;
  execution?: ExecutionUpdate;
  ending?: ActionEnding;
  /** Variables that a user sets in a move. An ending has its own. */
  variables?: Readonly<Record<string, unknown>>;
  incidents?: IncidentChange;
  /** A move, a correction or a retry. */
  action?: NewAction;
  /** Whether the experiment rests after the change. Undefined if it did not and does not. */
  rests?: boolean | undefined;
  /** Where the runs that it starts belong in a trace. */
  traceparent?: string | undefined;
  records: readonly ChangeRecord[];
}

export interface Written {
  /** The id of the new action, if there is one. */
  actionId: number | null;
}

/** Nothing was written because an import has locked the workflow. */
export type Locked = 'locked';

/** Undefined if the experiment or its workflow has changed since it was read. */
export type WriteOutcome = Written | Locked | undefined;

/** Waits for another transaction that has locked the experiment. */
export async function writeChange(db: Db, change: Change): Promise<WriteOutcome> {
  return (await write(db, [change], true)).get(change.experimentId);
}

type Outcomes = ReadonlyMap<number, WriteOutcome>;

/**
 * Writes changes of different experiments. An experiment that another transaction has locked is left out like one that has changed.
 * Locks are taken in the order of ids.
 */
export const writeChanges = (db: Db, changes: readonly Change[]): Promise<Outcomes> => write(db, changes, false);

async function write(db: Db, changes: readonly Change[], alone: boolean): Promise<Outcomes> {
  const values = {
    alone,
    changes,
    workflowIds: [...new Set(changes.map(({ workflowId }) => workflowId))],
    called: changes.flatMap(({ action }, index) => calledBy(action, index)),
    records: changes.flatMap(recordRows),
  };
  const rows = await statementFor(values)(db, values);
  return new Map(rows.map((row) => [row.experimentId, outcomeOf(row)]));
}

interface Values {
  /** There is one change, which waits for locks. */
  alone: boolean;
  changes: readonly Change[];
  workflowIds: readonly number[];
  called: readonly CalledCallback[];
  records: readonly RecordRow[];
}

interface WrittenRow {
  experimentId: number;
  /** Whether the statement got the shared lock on the workflow. */
  shared: boolean;
  moved: boolean;
  actionId: number | null;
}

const outcomeOf = ({ shared, moved, actionId }: WrittenRow): WriteOutcome => {
  if (!shared) return 'locked';
  return moved ? { actionId } : undefined;
};

const variablesOf = ({ variables, ending }: Change) => variables ?? ending?.variables ?? {};

/** The parts that the changes need. Each combination has its own statement. */
const shapeOf = ({ alone, changes, called, records }: Values) => ({
  one: alone,
  execution: changes.some(({ execution }) => execution !== undefined),
  leavesQueue: changes.some(({ execution }) => execution?.leavesQueue),
  nextAttempt: changes.some(({ execution }) => execution?.nextAttemptSeconds !== undefined),
  cause: changes.some(({ execution }) => execution?.cause !== undefined),
  retryHost: changes.some(({ execution }) => execution?.retryHost !== undefined),
  ending: changes.some(({ ending }) => ending),
  variables: changes.some((change) => Object.keys(variablesOf(change)).length > 0),
  incidents: changes.some(({ incidents }) => incidents),
  opensIncident: changes.some(({ incidents }) => incidents?.open),
  action: changes.some(({ action }) => action),
  counts: changes.some(({ action, stateId }) => action && action.destination.id !== stateId),
  rests: changes.some(({ rests }) => rests !== undefined),
  supersedes: changes.some(({ action }) => action?.leftActionId !== undefined),
  oneCallback: called.length === 1,
  callbacks: called.length > 0,
  records: records.length > 0,
  oneRecord: records.length === 1,
  hashesValues: records.some(({ hashes }) => hashes),
  traced: changes.some(
    ({ traceparent, action, execution }) =>
      traceparent !== undefined && (action?.callbacks.length || execution?.nextAttemptSeconds !== undefined),
  ),
});

type Shape = ReturnType<typeof shapeOf>;

const statements = new Map<string, Prepared<Values, WrittenRow>>();

function statementFor(values: Values): Prepared<Values, WrittenRow> {
  const shape = shapeOf(values);
  const key = Object.values(shape).map(Number).join('');
  const known = statements.get(key);
  if (known) return known;
  const statement = prepare<Values, WrittenRow>((bind) => buildStatement(shape, bind));
  statements.set(key, statement);
  return statement;
}

const changeColumns: Columns<Change> = {
  experiment_id: { type: 'bigint', of: ({ experimentId }) => experimentId },
  version: { type: 'bigint', of: ({ version }) => version },
  workflow_id: { type: 'bigint', of: ({ workflowId }) => workflowId },
  revision: { type: 'integer', of: ({ revision }) => revision },
  from_id: { type: 'bigint', of: ({ stateId }) => stateId },
};

const columnsFor = (shape: Shape): Columns<Change> => ({
  ...changeColumns,
  ...(shape.execution && columnsOf(({ execution }: Change) => execution, executionColumns)),
  ...(shape.cause && columnsOf(({ execution }: Change) => execution, causeColumns)),
  ...(shape.ending && columnsOf(({ ending }: Change) => ending, endingColumns)),
  ...(shape.variables && columnsOf(variablesOf, variableColumns)),
  ...(shape.incidents && columnsOf(({ incidents }: Change) => incidents, incidentColumns)),
  ...(shape.action && columnsOf(({ action }: Change) => action, entryColumns)),
  ...(shape.rests && restColumns),
  ...(shape.traced && traceColumns),
  ...(shape.supersedes && columnsOf(({ action }: Change) => action, supersededColumns)),
});

function buildStatement(shape: Shape, bind: Bind<Values>): RawBuilder<WrittenRow> {
  const parts: [boolean, RawBuilder<unknown>][] = [
    [true, rowsOf('given', bind, columnsFor(shape), ({ changes }) => changes, shape)],
    [true, shape.one ? shareWorkflow(bind) : shareWorkflows(bind)],
    [!shape.one, lockExperiments],
    [true, raiseVersions(shape)],
    [shape.execution, endAttemptsSql],
    [shape.execution, updateExecutionsSql(shape)],
    [shape.leavesQueue, leaveQueueSql],
    [shape.nextAttempt, nextAttemptsSql(shape)],
    [shape.retryHost, insertPaceSql],
    [shape.ending, endActionSql],
    [shape.variables, setVariablesSql],
    [shape.incidents, closeIncidentsSql],
    [shape.opensIncident, openIncidentsSql(shape)],
    [shape.action, insertActionsSql],
    [shape.callbacks, callCallbacksSql(bind, { one: shape.oneCallback, traced: shape.traced })],
    [shape.supersedes, supersedeSql],
    [shape.counts, shape.one ? countMoveSql : countMovesSql],
    [
      shape.records,
      insertRecordsSql(bind, { one: shape.oneRecord, enters: shape.action, hashesValues: shape.hashesValues }),
    ],
  ];
  return sql<WrittenRow>`
    with ${sql.join(parts.filter(([needed]) => needed).map(([, part]) => part))}
    select given.experiment_id as "experimentId", workflow.id is not null as shared, moved.experiment_id is not null as moved,
      ${shape.action ? sql`action.id` : sql`null::bigint`} as "actionId"
    from given left join workflow on workflow.id = given.workflow_id
      left join moved on moved.experiment_id = given.experiment_id
      ${shape.action ? sql`left join action on action.experiment_id = given.experiment_id` : sql``}`;
}

/**
 * A shared lock on a workflow: an import waits for moves. If an import has the lock, the statement does not wait for it with its
 * connection, but writes nothing.
 */
export const shareWorkflow = (bind: Bind<{ workflowIds: readonly number[] }>) => sql`workflow as materialized (
  select workflows.id, workflows.revision from workflows where workflows.id = ${bind(({ workflowIds }) => workflowIds[0])}
  for key share skip locked)`;

const shareWorkflows = (bind: Bind<{ workflowIds: readonly number[] }>) => sql`workflow as materialized (
  select workflows.id, workflows.revision from workflows
  where workflows.id = any(${arrayOf(
    bind(({ workflowIds }) => workflowIds),
    'bigint',
  )}) order by workflows.id
  for key share skip locked)`;

/** Several experiments are not waited for, because each would wait with the locks of the others. */
const lockExperiments = sql`locked as materialized (
  select experiments.id from experiments join given on given.experiment_id = experiments.id and given.version = experiments.version
  order by experiments.id for no key update of experiments skip locked)`;

const raiseVersions = ({ one, action, rests }: Shape) => sql`raised as (
  update experiments
  set version = experiments.version + 1${action ? moveOn : sql``}${rests ? restSql(action) : sql``}
  from given join workflow on workflow.id = given.workflow_id and workflow.revision = given.revision
    ${one ? sql`` : sql`join locked on locked.id = given.experiment_id`}
  where experiments.id = given.experiment_id and experiments.version = given.version
  returning experiments.id, experiments.action_sequence, experiments.cohort_id, experiments.subject_id, clock_timestamp() as now
), moved as ${one ? sql`not materialized` : sql`materialized`} (
  select raised.action_sequence, raised.cohort_id, raised.subject_id, raised.now, given.*
  from raised join given on given.experiment_id = raised.id)`;

const moveOn = sql`, state_id = coalesce(given.to_id, experiments.state_id),
    action_sequence = experiments.action_sequence + (given.to_id is not null)::integer`;
