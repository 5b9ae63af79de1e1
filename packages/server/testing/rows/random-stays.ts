/** Experiments with random walks through a workflow: moves, self-loops, corrections and retries, in the last 120 days. */
import type { TestServer } from '../server.ts';

/** Two states have a transition to themselves. */
export const walkedStates = `initial: arrived
states:
  - {label: arrived, transitions: [{destination: checked}, {destination: arrived}]}
  - {label: checked, transitions: [{destination: segmented}, {destination: arrived}, {destination: done}]}
  - {label: segmented, transitions: [{destination: segmented}, {destination: done}, {destination: checked}]}
  - {label: done}
`;

interface Transition {
  id: number;
  source: number;
  destination: number;
  kind: 'defined' | 'correction';
}

/** Numbers from 0 to 1 that depend only on the seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Between all states, in both directions. */
async function readTransitions(server: TestServer, workflow: string): Promise<Transition[]> {
  await server.sql(
    `insert into transitions (workflow_id, kind, source_state_id, destination_state_id)
     select one.workflow_id, 'correction', one.id, other.id from states one join states other using (workflow_id)
     join workflows on workflows.id = workflow_id where workflows.label = $1 on conflict do nothing`,
    [workflow],
  );
  return server.sql<Transition>(
    `select transitions.id::int, source_state_id::int as source, destination_state_id::int as destination, kind from transitions
     join workflows on workflows.id = workflow_id where workflows.label = $1 and kind <> 'entry' order by transitions.id`,
    [workflow],
  );
}

/** Three cohorts of very different sizes. */
async function insertExperiments(server: TestServer, workflow: string, count: number): Promise<number[]> {
  await server.sql(`insert into cohorts (label) select $1 || ' ' || n from generate_series(1, 3) n`, [workflow]);
  const rows = await server.sql<{ id: number }>(
    `with subject as (
       insert into subjects (cohort_id, label) select cohorts.id, cohorts.label from cohorts where label like $1 || ' _'
       returning id, cohort_id, right(label, 1)::int as number)
     insert into experiments (subject_id, cohort_id, workflow_id, state_id, label)
     select subject.id, subject.cohort_id, workflows.id, initial_state_id, 'walk ' || n from generate_series(1, $2::int) n
     join subject on number = case when n % 100 = 0 then 3 when n % 10 = 0 then 2 else 1 end
     cross join workflows where workflows.label = $1 returning id::int`,
    [workflow, count],
  );
  return rows.map(({ id }) => id);
}

const day = 24 * 3600 * 1000;
const lists = () => ({
  id: [] as number[],
  experiment: [] as number[],
  sequence: [] as number[],
  transition: [] as number[],
  state: [] as number[],
  at: [] as string[],
  retryOf: [] as (number | null)[],
});

/** Appends the actions of one experiment. The first one is the entry, or as by an import, a correction out of the initial state. */
function walk(rows: ReturnType<typeof lists>, experiment: number, { entry, places, transitions, random }: Walk): void {
  let [state, at, transition] = [entry.destination, Date.now() - random() * 120 * day, entry.id];
  const imported = random() < 0.1 ? places[Math.floor(random() * places.length)] : undefined;
  if (imported) [state, transition] = [imported.destination, imported.id];
  const length = 1 + Math.floor(random() * 10);
  for (let sequence = 1; sequence <= length && at < Date.now(); sequence++) {
    const retries = sequence > 1 && random() < 0.2;
    const exits = transitions.filter(({ source }) => source === state);
    const taken = exits[Math.floor(random() * exits.length)];
    if (sequence > 1 && !retries && taken) [state, transition] = [taken.destination, taken.id];
    rows.retryOf.push(retries ? (rows.id.at(-1) ?? null) : null);
    rows.id.push((rows.id.at(-1) ?? entry.firstId) + 1);
    rows.experiment.push(experiment);
    rows.sequence.push(sequence);
    rows.transition.push(transition);
    rows.state.push(state);
    rows.at.push(new Date(at).toISOString());
    at += random() ** 3 * 20 * day;
  }
}

interface Walk {
  entry: { id: number; destination: number; firstId: number };
  /** The corrections out of the initial state. */
  places: readonly Transition[];
  transitions: readonly Transition[];
  random: () => number;
}

/** An experiment was in the state from then on. A retry stays in its state. */
export interface Entry {
  experiment: number;
  state: number;
  at: string;
  isRetry: boolean;
}

/** Returns the journal of the walks, each in the order of its actions. */
export async function insertRandomStays(
  server: TestServer,
  { workflow, experiments, seed }: { workflow: string; experiments: number; seed: number },
): Promise<Entry[]> {
  const transitions = await readTransitions(server, workflow);
  const [entry] = await server.sql<Walk['entry']>(
    `select transitions.id::int, destination_state_id::int as destination, (select coalesce(max(id), 0)::int from actions) as "firstId"
     from transitions join workflows on workflows.id = workflow_id where workflows.label = $1 and kind = 'entry'
     order by destination_state_id limit 1`,
    [workflow],
  );
  if (!entry) throw new Error('The workflow has no entry.');
  const rows = lists();
  const random = randomFrom(seed);
  const places = transitions.filter(
    ({ kind, source, destination: to }) => kind === 'correction' && source === entry.destination && to !== source,
  );
  for (const id of await insertExperiments(server, workflow, experiments))
    walk(rows, id, { entry, places, transitions, random });
  await server.sql(
    `insert into actions (id, experiment_id, sequence, transition_id, start_time, retry_of, actor_kind)
     overriding system value
     select *, 'engine' from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::bigint[])`,
    [rows.id, rows.experiment, rows.sequence, rows.transition, rows.at, rows.retryOf],
  );
  // The ids above did not come from the sequence.
  await server.sql(`select setval('actions_id_seq', (select max(id) from actions))`);
  await server.sql('vacuum analyze');
  return rows.experiment.map((experiment, index) => ({
    experiment,
    state: rows.state[index] ?? 0,
    at: rows.at[index] ?? '',
    isRetry: rows.retryOf[index] !== null,
  }));
}
