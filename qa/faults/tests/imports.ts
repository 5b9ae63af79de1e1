/**
 * Kills a server in the middle of an import. The workflow must then be unchanged or completely new. The test holds a lock that
 * stops the import at a chosen step, so that the kill hits this step.
 */
import { isChanging, isCommitHeld, isWaitedFor } from '../kill-around-commit.ts';
import { send, type RequestResult } from '../drive/requests.ts';
import { query, finds, withOwner } from '../testbed/query.ts';
import { startTestbed, type Testbed } from '../testbed/testbed.ts';
import { createRandom } from '../random.ts';
import { until } from '../until.ts';
import type { Test } from './result.ts';

const kills = { full: 100, smoke: 10, quick: 10 };
const label = 'imported';
const states = 100;
const transitionsEach = 10;

/** All states and callbacks contain the version. Odd and even versions have different transitions. */
function definition(version: number): string {
  const names = Array.from({ length: states }, (_, index) => `s${index}`);
  const stateOf = (name: string, index: number) => {
    const transitions = Array.from(
      { length: transitionsEach },
      (_, number) => `{destination: s${(index + number + 1 + (version % 2)) % states}}`,
    );
    const callback = `{label: c, function: worker, callback_arguments: {queue: worker}, description: v${version}}`;
    return `  - {label: ${name}, freetext: v${version}, callbacks: [${callback}], transitions: [${transitions.join(', ')}]}`;
  };
  return `label: ${label}\ninitial: s0\nstates:\n${names.map(stateOf).join('\n')}\n`;
}

const importVersion = ({ servers }: Testbed, server: number, version: number): Promise<RequestResult> =>
  send(servers[server]?.current().baseUrl ?? '', {
    method: 'POST',
    path: '/service/config/import-workflow',
    body: { workflow_definition: definition(version) },
  });

/** All versions that the database contains parts of, including the stored definition. */
const presentVersions = async ({ postgres }: Testbed): Promise<string[]> => {
  const rows = await query<{ version: string }>(postgres, everyVersion);
  return rows.map(({ version }) => version);
};
const everyVersion = `
  select states.freetext as version from states join workflows on workflows.id = workflow_id
  where workflows.label = '${label}' and not states.retired
  union select description from callback_versions join callbacks on callbacks.id = callback_id
    and current_version = version join states on states.id = state_id join workflows on workflows.id = workflow_id
  where workflows.label = '${label}'
  union select substring(definition from 'freetext: (v[0-9]+)') from workflow_revisions
  join workflows on workflows.id = workflow_id and workflows.revision = workflow_revisions.revision
  where workflows.label = '${label}'`;

/** The steps of an import in order, with the lock that holds each of them. */
const heldSteps: Record<string, string> = {
  'it locks the workflow': `select from workflows where label = '${label}' for update`,
  ...Object.fromEntries(
    ['states', 'callback_versions', 'callbacks', 'transitions', 'workflows', 'workflow_revisions', 'history'].map(
      (table) => [`it writes to ${table}`, `lock table ${table} in share mode`],
    ),
  ),
};
const committed = 'it is committed, before the response';
const completed = 'it is completed';
const steps = [...Object.keys(heldSteps), committed, completed];

export const imports: Test = async ({ size, seed, folder }) => {
  const testbed = await startTestbed(folder);
  try {
    const { partial, undone, complete } = await killDuringImports(testbed, seed, kills[size]);
    return {
      verdict: partial.length > 0 ? 'failed' : 'passed',
      lines: [
        `${kills[size]} kills: ${undone} imports left nothing, ${complete} were complete, ${partial.length} partial`,
        ...partial.slice(0, 5),
      ],
      figures: { kills: kills[size], left_nothing: undone, complete, partial },
    };
  } finally {
    await testbed.stop();
  }
};

async function killDuringImports(testbed: Testbed, seed: number, count: number) {
  const random = createRandom(seed);
  await until('the first import succeeds', async () => (await importVersion(testbed, 0, 1)).outcome === 'ok');
  // The layout is stored after the import and would wait for the same locks.
  await until('the layout is stored', () => finds(testbed.postgres, 'select from workflows where layout is not null'));
  const [partial, counts] = [[] as string[], { undone: 0, complete: 0 }];
  // All steps in turn. The seed determines the first one.
  const first = random.below(steps.length);
  // One server is killed while the other one restarts.
  const restarts = testbed.servers.map(() => Promise.resolve());
  for (let round = 0, version = 2; round < count; round++) {
    const step = steps[(first + round) % steps.length] ?? completed;
    const server = round % testbed.servers.length;
    await restarts[server];
    const kill = () => (restarts[server] = testbed.servers[server]?.kill() ?? Promise.resolve());
    let [current, wanted] = ['', ''];
    const killed = await killAt(testbed, { step, kill }, async () => {
      [current, wanted] = [(await presentVersions(testbed)).join(), `v${version}`];
      return importVersion(testbed, server, version++);
    });
    const present = await presentVersions(testbed);
    const expected = step === committed || killed.outcome === 'ok' ? wanted : current;
    if (present.join() !== expected) {
      partial.push(`${wanted} after ${current}, killed when ${step}, status ${killed.status}: ${present.join(', ')}`);
    }
    counts[present[0] === wanted ? 'complete' : 'undone']++;
  }
  await Promise.all(restarts);
  return { partial, ...counts };
}

interface Planned {
  step: string;
  /** Kills and restarts the server. */
  kill: () => Promise<void>;
}

/** Kills the server when the import reaches this step. Returns the client's result. */
async function killAt(
  testbed: Testbed,
  { step, kill }: Planned,
  start: () => Promise<RequestResult>,
): Promise<RequestResult> {
  const lock = heldSteps[step];
  if (lock !== undefined) return killWaiting(testbed, lock, start, kill);
  if (step === committed) return killCommitted(testbed, start, kill);
  const result = await start();
  void kill();
  return result;
}

/** The import stops waiting after 20 s. If the wait was not observed by then, it is repeated. */
async function killWaiting(
  { postgres }: Testbed,
  lock: string,
  start: () => Promise<RequestResult>,
  kill: () => Promise<void>,
) {
  for (;;) {
    const result = await withOwner(postgres, async (client) => {
      await client.query('begin');
      await client.query(lock);
      const held = watch(start());
      await until('an import waits for a lock', async () => held.isCompleted() || isWaitedFor(client));
      if (held.isCompleted()) return (await held.result).outcome === 'ok' ? neverWaits(lock) : undefined;
      void kill();
      return held.result;
    });
    if (result) return result;
  }
}

function neverWaits(lock: string): never {
  throw new Error(`The import does not wait for this lock: ${lock}`);
}

async function killCommitted({ postgres }: Testbed, start: () => Promise<RequestResult>, kill: () => Promise<void>) {
  const [found] = await query<{ id: number }>(postgres, `select id::int from workflows where label = '${label}'`);
  const { id } = found ?? { id: 0 };
  for (;;) {
    await postgres.holdCommits();
    const held = watch(start());
    const isHeld = () => isCommitHeld(postgres, 'workflows', id);
    await until('the commit of an import is held', async () => held.isCompleted() || isHeld());
    const isKilled = !held.isCompleted();
    if (isKilled) void kill();
    const result = await held.result;
    await postgres.releaseCommits();
    await until('the commit ends', async () => !(await isChanging(postgres, 'workflows', id)));
    if (isKilled) return result;
    if (result.outcome === 'ok') throw new Error('An import succeeded while commits were held.');
  }
}

function watch(result: Promise<RequestResult>) {
  let isCompleted = false;
  void result.then(() => (isCompleted = true));
  return { result, isCompleted: () => isCompleted };
}
