/** Creates an experiment in the initial state of its workflow, with one statement. */
import { sql } from 'kysely';
import type { Db } from '../../../database/connection.ts';
import { columnsOf, rowsOf, type Columns } from '../../../database/given-rows.ts';
import { prepare, type Prepared } from '../../../database/prepare.ts';
import { idsOf, inBoundScope, type Scope } from '../../scope.ts';
import { restColumns } from '../resting.ts';
import { countCreationSql } from '../state-counts.ts';
import { insertRecordsSql, recordRows, type ChangeRecord, type RecordRow } from './change-records.ts';
import {
  callCallbacksSql,
  calledBy,
  entryColumns,
  insertActionsSql,
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
  records: readonly ChangeRecord[];
}

interface Values {
  creation: Creation;
  workflowIds: readonly number[];
  called: readonly CalledCallback[];
  records: readonly RecordRow[];
}

/** Returns the id. Undefined if the workflow has changed, or if the subject has withdrawn or left the scope. */
export async function writeCreation(db: Db, creation: Creation): Promise<number | Locked | undefined> {
  const called = calledBy(creation, 0);
  const values = { creation, workflowIds: [creation.workflowId], called, records: recordRows(creation, 0) };
  const [row] = await statements[called.length === 0 ? 'resting' : 'calling'](db, values);
  return row?.shared ? (row.id ?? undefined) : 'locked';
}

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
  id: number | null;
}

const prepareCreation = (calls: boolean): Prepared<Values, CreatedRow> =>
  prepare(
    (bind) => sql<CreatedRow>`
    with ${rowsOf('given', bind, columns, ({ creation }) => [creation], { one: true })},
    ${shareWorkflow(bind)},
    -- Locks the subject, so that it cannot withdraw or change its cohort. Waits for a change in progress and sees its result.
    locked as materialized (
      select subjects.id, subjects.cohort_id from subjects
      where subjects.id = (select given.subject_id from given) and subjects.withdrawn_at is null
        and ${inBoundScope(
          bind(({ creation }) => idsOf(creation.scope)),
          'subjects.cohort_id',
        )}
      for key share
    ), inserted as (
      insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, scandate, action_sequence,
        resting_sequence, resting_since)
      select locked.id, locked.cohort_id, workflow.id, given.to_id, given.label, given.scandate, 1,
        case when given.rests then 1 end, case when given.rests then clock_timestamp() end
      from given join locked on locked.id = given.subject_id
        join workflow on workflow.id = given.workflow_id and workflow.revision = given.revision
      returning experiments.id as experiment_id, experiments.action_sequence, experiments.cohort_id, clock_timestamp() as now
    ), moved as not materialized (
      select inserted.*, given.* from inserted cross join given
    ), ${insertActionsSql}, ${calls ? sql`${callCallbacksSql(bind, { one: false })}, ` : sql``}${countCreationSql},
    ${insertRecordsSql(bind, { one: true, enters: true, hashesValues: false })}
    select exists (select from workflow) as shared, (select inserted.experiment_id from inserted) as id`,
  );

const statements = { resting: prepareCreation(false), calling: prepareCreation(true) };
