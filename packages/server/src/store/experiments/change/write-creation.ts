/** Creates experiments with one statement. */
import { sql } from 'kysely';
import type { Db } from '../../../database/connection.ts';
import { columnsOf, rowsOf, type Columns } from '../../../database/given-rows.ts';
import { prepare, type Prepared } from '../../../database/prepare.ts';
import { idsOf, inBoundScope, noCohorts, type Scope } from '../../scope.ts';
import { restColumns } from '../resting.ts';
import { countCreationSql, countCreationsSql } from '../state-counts.ts';
import { insertRecordsSql, recordRows, type ChangeRecord, type RecordRow } from './change-records.ts';
import {
  callCallbacksSql,
  calledBy,
  entryColumns,
  insertActionsSql,
  traceColumns,
  type CalledCallback,
  type NewAction,
  type StateEntry,
} from './enter-state.ts';
import { shareWorkflow, type Locked } from './write-change.ts';

export interface Creation extends StateEntry {
  workflowId: number;
  revision: number;
  /** The cohort of the subject must be in this scope. */
  scope: Scope;
  subjectId: number;
  label: string;
  scandate: string | null;
  /** Whether it stays in the initial state until a user moves it. */
  rests: boolean;
  /** Where its runs belong in a trace. */
  traceparent?: string | undefined;
  records: readonly ChangeRecord[];
}

interface Values {
  creations: readonly Creation[];
  workflowIds: readonly number[];
  called: readonly CalledCallback[];
  records: readonly RecordRow[];
}

/** Returns the id. Undefined if the workflow has changed, or if the subject has withdrawn or left the scope. */
export async function writeCreation(db: Db, creation: Creation): Promise<number | Locked | undefined> {
  const ids = await write(db, [creation], true);
  return ids === 'locked' ? ids : ids.get(1);
}

/** Creates several of one workflow and scope. Returns their ids by position, from 1. Some are missing for the same reasons. */
export const writeCreations = (db: Db, creations: readonly Creation[]): Promise<CreatedIds | Locked> =>
  write(db, creations, false);

type CreatedIds = ReadonlyMap<number, number>;

async function write(db: Db, creations: readonly Creation[], alone: boolean): Promise<CreatedIds | Locked> {
  const [first] = creations;
  if (!first) return new Map();
  const called = creations.flatMap(calledBy);
  const values = { creations, workflowIds: [first.workflowId], called, records: creations.flatMap(recordRows) };
  const [row] = await statements[alone ? 'one' : 'many'][kindOf(values)](db, values);
  return row?.shared ? new Map(row.ids.map(({ position, id }) => [position, id])) : 'locked';
}

const kindOf = ({ creations, called }: Values) => {
  if (called.length === 0) return 'resting';
  return creations.some(({ traceparent }) => traceparent !== undefined) ? 'traced' : 'calling';
};

const columns: Columns<Creation> = {
  workflow_id: { type: 'bigint', of: ({ workflowId }) => workflowId },
  revision: { type: 'integer', of: ({ revision }) => revision },
  subject_id: { type: 'bigint', of: ({ subjectId }) => subjectId },
  label: { type: 'text', of: ({ label }) => label },
  scandate: { type: 'timestamp', of: ({ scandate }) => scandate },
  ...restColumns,
  ...columnsOf((creation: Creation): NewAction => creation, entryColumns),
};

interface CreatedRow {
  shared: boolean;
  ids: { position: number; id: number }[];
}

interface Shape {
  one: boolean;
  calls: boolean;
  traced: boolean;
}

const prepareCreation = ({ one, calls, traced }: Shape): Prepared<Values, CreatedRow> =>
  prepare(
    (bind) => sql<CreatedRow>`
    with ${rowsOf('given', bind, traced ? { ...columns, ...traceColumns } : columns, ({ creations }) => creations, { one })},
    ${shareWorkflow(bind)},
    -- Locks the subjects, so that they cannot withdraw or change their cohort. Waits for a change in progress and sees its result.
    locked as materialized (
      select subjects.id, subjects.cohort_id from subjects
      where subjects.id = ${one ? sql`(select given.subject_id from given)` : sql`any(array(select given.subject_id from given))`}
        and subjects.withdrawn_at is null
        and ${inBoundScope(
          bind(({ creations }) => idsOf(creations[0]?.scope ?? noCohorts)),
          'subjects.cohort_id',
        )}
      ${one ? sql`` : sql`order by subjects.id`} for key share
    ), inserted as (
      insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, scandate, action_sequence,
        resting_sequence, resting_since)
      select locked.id, locked.cohort_id, workflow.id, given.to_id, given.label, given.scandate, 1,
        case when given.rests then 1 end, case when given.rests then clock_timestamp() end
      from given join locked on locked.id = given.subject_id
        join workflow on workflow.id = given.workflow_id and workflow.revision = given.revision
      ${one ? sql`` : sql`order by given.position`}
      returning experiments.id as experiment_id, experiments.action_sequence, experiments.cohort_id, clock_timestamp() as now,
        experiments.subject_id as of_subject_id, experiments.label as new_label
    ), moved as ${one ? sql`not materialized` : sql`materialized`} (
      select inserted.*, given.* from inserted ${one ? sql`cross join given` : joinGiven}
    ), ${insertActionsSql}, ${calls ? sql`${callCallbacksSql(bind, { one: false, traced })}, ` : sql``}${one ? countCreationSql : countCreationsSql},
    ${insertRecordsSql(bind, { one, enters: true, hashesValues: false })}
    select exists (select from workflow) as shared, (
      select coalesce(json_agg(json_build_object('position', moved.position, 'id', moved.experiment_id)), '[]') from moved) as ids`,
  );

const joinGiven = sql`join given on given.subject_id = inserted.of_subject_id and given.label = inserted.new_label collate "C"`;

const prepareBoth = (one: boolean) => ({
  resting: prepareCreation({ one, calls: false, traced: false }),
  calling: prepareCreation({ one, calls: true, traced: false }),
  traced: prepareCreation({ one, calls: true, traced: true }),
});
const statements = { one: prepareBoth(true), many: prepareBoth(false) };
