/** Upgrades a workflow repeatedly while clients move experiments through it. No experiment is stranded and no action is lost. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type Answer, type TestServer } from '../../../testing/server.ts';
import { wrongCounts } from '../../../testing/rows/true-counts.ts';

const clients = 10;
const experiments = 200;
const upgrades = Number(process.env['MILEPOST_TEST_UPGRADES'] ?? 8);
const movesBetween = 60;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ settings: { MILEPOST_POOL_SIZE: '20' } });
});
afterAll(() => server.stop());

/**
 * A ring of three states. Each upgrade adds a state and changes a condition. Every fourth also removes the previous upgrade's
 * state and maps its experiments to another one.
 */
function definition(round: number): { workflow_definition: string; state_map?: Record<string, string> } {
  const retires = round > 0 && round % 4 === 0;
  const extra = `extra${round}`;
  const before = `extra${round - 1}`;
  const kept = round > 0 && !retires ? `  - {label: ${before}, transitions: [{destination: a}]}\n` : '';
  const leaving = kept === '' ? '' : `, {destination: ${before}}`;
  const workflow_definition = `label: ring
initial: a
states:
  - {label: a, transitions: [{destination: b, condition: "cohort.label != 'round ${round}'"}, {destination: ${extra}}${leaving}]}
  - {label: b, transitions: [{destination: c}]}
  - {label: c, transitions: [{destination: a}]}
  - {label: ${extra}, transitions: [{destination: a}]}
${kept}`;
  const gone = [...(retires ? [before] : []), ...(round > 1 ? [`extra${round - 2}`] : [])];
  return {
    workflow_definition,
    ...(gone.length > 0 && { state_map: Object.fromEntries(gone.map((label) => [label, 'b'])) }),
  };
}

const importRound = async (round: number): Promise<Answer> => {
  const body = definition(round);
  // The import rejects unknown states in the map, so only existing ones are named.
  const { body: listed } = await server.call('listWorkflowStates', { params: { workflow_label: 'ring' } });
  const existing = new Set((listed.states as { label: string }[]).map((state) => state.label));
  const map = Object.entries(body.state_map ?? {}).filter(([label]) => existing.has(label));
  // Frequent moves can keep the import from locking the workflow until it times out.
  for (;;) {
    const answer = await server.call('importWorkflow', { body: { ...body, state_map: Object.fromEntries(map) } });
    if (answer.status !== 503) return answer;
  }
};

async function prepare(): Promise<void> {
  expect((await server.call('importWorkflow', { body: definition(0) })).status).toBe(201);
  await server.call('createCohort', { body: { label: 'load' } });
  const { body: subject } = await server.call('createSubject', { body: { label: 's', cohort_label: 'load' } });
  const create = (n: number) =>
    server.call('createExperiment', { body: { label: `e${n}`, subject_id: subject.id, workflow_label: 'ring' } });
  for (let n = 0; n < experiments; n += clients) {
    await Promise.all(Array.from({ length: clients }, (_, client) => create(n + client)));
  }
}

/** Moves its own experiments along allowed transitions until `isOver`, and counts the statuses of the responses. */
async function wander(ids: readonly number[], isOver: () => boolean, statuses: Map<number, number>): Promise<void> {
  for (let turn = 0; !isOver(); turn++) {
    const id = ids[turn % ids.length] ?? 0;
    const { body } = await server.call('getExperimentTransitions', { params: { id } });
    const open = (body.transitions as { allowed: boolean; destination_state: { label: string } }[] | undefined)?.filter(
      ({ allowed }) => allowed,
    );
    const transition = open?.[turn % open.length];
    if (!transition) continue;
    const { status, headers } = await server.call('setExperimentState', {
      params: { id },
      body: { state_label: transition.destination_state.label },
    });
    if (status === 503) expect(headers.get('retry-after')).not.toBeNull();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
}

it(`a workflow can be upgraded ${upgrades} times while ${clients} clients move ${experiments} experiments`, async () => {
  await prepare();
  const ids = (await server.sql<{ id: string }>('select id from experiments order by id')).map((row) => Number(row.id));
  const statuses = new Map<number, number>();
  let over = false;
  const share = experiments / clients;
  const walkers = Array.from({ length: clients }, (_, client) =>
    wander(ids.slice(client * share, (client + 1) * share), () => over, statuses),
  );
  for (let round = 1; round <= upgrades; round++) {
    await expect.poll(() => statuses.get(200) ?? 0).toBeGreaterThan(round * movesBetween);
    const { status, body } = await importRound(round);
    expect([status, body.outcome]).toEqual([200, 'changed']);
  }
  await expect.poll(() => statuses.get(200) ?? 0).toBeGreaterThan((upgrades + 1) * movesBetween);
  over = true;
  await Promise.all(walkers);

  expect([...statuses.keys()].filter((status) => ![200, 404, 409, 503].includes(status))).toEqual([]);
  expect(await server.sql('select 1 from experiments join states on states.id = state_id where retired')).toEqual([]);
  const gaps = await server.sql(
    `select experiments.id from experiments join actions on actions.experiment_id = experiments.id
     group by experiments.id having count(*) <> max(sequence) or max(sequence) <> max(action_sequence)`,
  );
  expect(gaps).toEqual([]);
  const [mapped] = await server.sql<{ moves: number }>(
    `select count(*)::int as moves from actions join transitions on transitions.id = transition_id where kind = 'correction'`,
  );
  expect(mapped?.moves).toBeGreaterThanOrEqual(upgrades);
  const used = await server.sql<{ id: string }>('select distinct transition_id as id from actions');
  for (const { id } of used) {
    expect((await server.call('getTransition', { params: { id: Number(id) } })).status).toBe(200);
  }
  process.stdout.write(`responses by status: ${JSON.stringify([...statuses])}; moved by state_map: ${mapped?.moves}\n`);
});

it('the state counts are correct after the upgrades', async () => {
  expect(await wrongCounts(server.sql)).toEqual([]);
});
