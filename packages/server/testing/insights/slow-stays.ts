/** What `GET /insights` reads of the latest 1,000 moves out of each state, by slow queries: variables and the time to decide. */
import type { Sql, Wanted } from './slow-figures.ts';

interface Stay {
  experiment_id: number;
  state: string;
  kind: string;
  actor_kind: string;
  user: string;
  /** In the state, and since its callbacks have ended. */
  seconds: number;
  waited: number | null;
}

/** The latest moves are those of all cohorts, or with $4, of the one. */
const recent = `select latest.* from (
    select experiments.id::int as experiment_id, experiments.cohort_id, withdrawn_at, source.label as state, transitions.kind, actor_kind,
      coalesce(nullif(users.name, ''), username, '') as user,
      row_number() over (partition by source.id order by actions.start_time desc) as place,
      extract(epoch from actions.start_time - (
        select max(start_time) from actions as before
        where before.experiment_id = experiments.id and before.sequence < actions.sequence and before.retry_of is null))::float8 as seconds,
      extract(epoch from actions.start_time - (
        select end_time from actions as before where before.experiment_id = experiments.id and before.sequence = actions.sequence - 1))::float8 as waited
    from actions join transitions on transitions.id = transition_id join states as source on source.id = source_state_id
    join experiments on experiments.id = experiment_id join subjects on subjects.id = subject_id
    left join users on actor_kind = 'user' and users.id = actor_id
    where sequence > 1 and retry_of is null and source.workflow_id = $1 and start_time at time zone 'UTC' >= $3::date
      and (not $4 or experiments.cohort_id = $2)) as latest
  where place <= 1000 and withdrawn_at is null and cohort_id = coalesce($2, cohort_id)`;

/** Interpolated. */
function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = part * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
  return low + (high - low) * (place - Math.floor(place));
}

export interface SlowDecision {
  state: string;
  user: string | null;
  decisions: number;
  median: number;
  p90: number;
}

/** In the order of states that is given. */
function decisionsOf(stays: readonly Stay[], states: readonly string[]): SlowDecision[] {
  const decided = stays.filter(
    ({ actor_kind: actor, kind, waited }) => actor === 'user' && kind === 'defined' && (waited ?? -1) >= 0,
  );
  const row = (state: string, user: string | null, ofRow: readonly Stay[]) => {
    const times = ofRow.map(({ waited }) => waited ?? 0);
    return { state, user, decisions: times.length, median: quantile(times, 0.5), p90: quantile(times, 0.9) };
  };
  return states.flatMap((state) => {
    const own = decided.filter((stay) => stay.state === state);
    const users = [...Map.groupBy(own, ({ user }) => user)].map(([user, ofUser]) => row(state, user, ofUser));
    return own.length === 0 ? [] : [row(state, null, own), ...users];
  });
}

export interface SlowVariable {
  variable: string;
  value: string;
  stays: number;
  median_seconds: number;
  all_stays: number;
  all_median_seconds: number;
}

interface Value {
  experiment_id: number;
  variable: string;
  value: string;
}

const medianOf = (rows: readonly { seconds: number }[]) =>
  quantile(
    rows.map(({ seconds }) => seconds),
    0.5,
  );

const difference = ({ stays: count, median_seconds: median, all_median_seconds: all }: SlowVariable) =>
  Math.sqrt(count) * Math.abs(Math.log(Math.max(median, 0.001) / Math.max(all, 0.001)));

/** The ten values with the largest difference. */
function variablesOf(stays: readonly Stay[], values: readonly Value[]): SlowVariable[] {
  const named = values.flatMap((value) =>
    stays.filter((stay) => stay.experiment_id === value.experiment_id).map(({ seconds }) => ({ ...value, seconds })),
  );
  const rows = [...Map.groupBy(named, ({ variable }) => variable)].flatMap(([variable, whole]) => {
    const each = [...Map.groupBy(whole, ({ value }) => value)];
    if (each.length < 2 || each.length > 20) return [];
    return each
      .filter(([, own]) => own.length >= 5)
      .map(([value, own]) => ({
        variable,
        value,
        stays: own.length,
        median_seconds: medianOf(own),
        all_stays: whole.length,
        all_median_seconds: medianOf(whole),
      }));
  });
  return rows.toSorted((a, b) => difference(b) - difference(a)).slice(0, 10);
}

export async function slowRecent(
  sql: Sql,
  { workflowId, weeks, cohortId, isQuery }: Wanted,
  { deciding, bottleneck }: { deciding: readonly string[]; bottleneck: string },
) {
  const stays = await sql<Stay>(recent, [workflowId, cohortId, weeks[0], isQuery]);
  const ofBottleneck = stays.filter(({ state }) => state === bottleneck);
  const values = await sql<Value>(
    `select experiment_id::int, name as variable, value #>> '{}' as value from experiment_variables where experiment_id = any($1)`,
    [ofBottleneck.map(({ experiment_id: id }) => id)],
  );
  return { decisions: decisionsOf(stays, deciding), variables: variablesOf(ofBottleneck, values) };
}
