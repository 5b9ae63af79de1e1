/** Finds names and values that complete a part of a query. Variables are those of the latest experiments, so their number does not matter. */
import { completedExperiments, maxCompletions } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { canReadIn, shownName } from '../experiments/follow-ups.ts';
import { includesAnyCohort, inScope, latestExperimentsIn, type Scope } from '../scope.ts';

export interface Completion {
  text: string;
  detail: string | null;
}

/** A query for `text`, `detail` and `name`. A completion is found by its text or its name. */
type Texts = RawBuilder<unknown>;

const textsOf = (column: RawBuilder<unknown>, from: RawBuilder<unknown>): Texts =>
  sql`select ${column} as text, null as detail, null as name from ${from}`;

/** Several workflows can have a state with the same label. Retired states are left out. */
const states: Texts = sql`
  select states.label as text, min(states.title) as name,
    case count(*) when 1 then concat_ws(' · ', min(states.title), min(workflows.label)) else count(*) || ' workflows' end as detail
  from states join workflows on workflows.id = states.workflow_id where not states.retired group by states.label`;

const shared = {
  state: states,
  workflow: textsOf(sql`workflows.label`, sql`workflows`),
  external: textsOf(sql`external_systems.system_name`, sql`external_systems`),
};

export const completeShared = (db: Db, of: keyof typeof shared, typed: string): Promise<Completion[]> =>
  complete(db, shared[of], typed);

export const completeCohorts = (db: Db, scope: Scope, typed: string): Promise<Completion[]> =>
  complete(db, textsOf(sql`cohorts.label`, sql`cohorts where ${inScope(scope, 'cohorts.id')}`), typed);

/** Active users who can read one of the cohorts. */
export const completeAssignees = async (db: Db, scope: Scope, typed: string): Promise<Completion[]> =>
  includesAnyCohort(scope)
    ? complete(
        db,
        sql`select users.username as text, ${shownName} as detail, ${shownName} as name
          from users where ${canReadIn(inScope(scope, 'cohort_roles.cohort_id'))}`,
        typed,
      )
    : [];

/** Rows of `experiment_variables` for each of the latest experiments. `offset 0` keeps the planner from reading all variables. */
const variablesOf = (scope: Scope, which: RawBuilder<unknown>) => sql`
  (${latestExperimentsIn(scope, completedExperiments)}) as latest cross join lateral (
    select experiment_variables.name, experiment_variables.value from experiment_variables
    where experiment_variables.experiment_id = latest.id and ${which} offset 0) as variable`;

export const completeVariables = (db: Db, scope: Scope, typed: string): Promise<Completion[]> =>
  complete(db, textsOf(sql`distinct variable.name`, variablesOf(scope, sql`true`)), typed);

const longestValue = 100;
/** A text of this many characters is never stored in a larger value. */
const largestValue = 500;

/** The size is checked first, so that large values are not read. */
const isShort = sql`case when pg_column_size(variable.value) > ${sql.lit(largestValue)} then false
  when jsonb_typeof(variable.value) in ('string', 'number', 'boolean')
    then char_length(variable.value #>> '{}') <= ${sql.lit(longestValue)} else false end`;

export const completeValues = (db: Db, scope: Scope, variable: string, typed: string): Promise<Completion[]> =>
  complete(
    db,
    textsOf(
      sql`distinct variable.value #>> '{}'`,
      sql`${variablesOf(scope, sql`experiment_variables.name = ${variable}`)} where ${isShort}`,
    ),
    typed,
  );

async function complete(db: Db, texts: Texts, typed: string): Promise<Completion[]> {
  const has = (column: string) => sql`strpos(lower(${sql.ref(column)}), lower(${typed}))`;
  const { rows } = await sql<Completion>`
    select found.text, found.detail from (${texts}) as found
    where ${has('found.text')} > 0 or ${has('found.name')} > 0
    order by ${has('found.text')} <> 1, lower(found.text), found.text limit ${sql.lit(maxCompletions)}`.execute(db);
  return rows;
}
