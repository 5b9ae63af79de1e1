/**
 * A server is killed in the middle of an import: the workflow is then as it was, or as the new file has it, and nothing between.
 * A lock that the test holds stops the import at a known step, so that every kill hits the step it is meant for.
 */
import { isChanging, isCommitHeld, isWaitedFor } from '../at-a-commit.ts';
import { send, type Answer } from '../drive/requests.ts';
import { ask, finds, withOwner } from '../place/ask.ts';
import { openPlace, type Place } from '../place/place.ts';
import { createRandom } from '../random.ts';
import { until } from '../until.ts';
import type { Test } from './result.ts';

const kills = { full: 100, smoke: 10, quick: 10 };
const label = 'imported';
const states = 100;
const transitionsEach = 10;

/** Every state and callback of the file carries its number, and every other file has other transitions. */
function definition(version: number): string {
  const names = Array.from({ length: states }, (_, index) => `s${index}`);
  const stateOf = (name: string, index: number) => {
    const transitions = Array.from(
      { length: transitionsEach },
      (_, number) => `{destination: s${(index + number + 1 + (version % 2)) % states}}`,
    );
    const callback = `{label: c, function: worker, description: v${version}}`;
    return `  - {label: ${name}, freetext: v${version}, callbacks: [${callback}], transitions: [${transitions.join(', ')}]}`;
  };
  return `label: ${label}\ninitial: s0\nstates:\n${names.map(stateOf).join('\n')}\n`;
}

const importVersion = ({ servers }: Place, server: number, version: number): Promise<Answer> =>
  send(servers[server]?.current().baseUrl ?? '', {
    method: 'POST',
    path: '/service/config/import-workflow',
    body: { workflow_definition: definition(version) },
  });

/** The versions of which there is something, the definition that is kept included. */
const versionsThere = async ({ postgres }: Place): Promise<string[]> => {
  const rows = await ask<{ version: string }>(postgres, everyVersion);
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

/** The steps of an import in their order, and the lock that each of them waits for. */
const heldSteps: Record<string, string> = {
  'it locks the workflow': `select from workflows where label = '${label}' for update`,
  ...Object.fromEntries(
    ['states', 'callback_versions', 'callbacks', 'transitions', 'workflows', 'workflow_revisions', 'history'].map(
      (table) => [`it writes to ${table}`, `lock table ${table} in share mode`],
    ),
  ),
};
const committed = 'it is committed and not answered';
const answered = 'it is answered';
const steps = [...Object.keys(heldSteps), committed, answered];

export const imports: Test = async ({ size, seed, folder }) => {
  const place = await openPlace(folder);
  try {
    const { broken, cut, made } = await killInImports(place, seed, kills[size]);
    return {
      verdict: broken.length > 0 ? 'failed' : 'passed',
      lines: [
        `${kills[size]} kills: ${cut} imports left nothing, ${made} were there as a whole, ${broken.length} neither`,
        ...broken.slice(0, 5),
      ],
      figures: { kills: kills[size], left_nothing: cut, whole: made, broken },
    };
  } finally {
    await place.stop();
  }
};

async function killInImports(place: Place, seed: number, count: number) {
  const random = createRandom(seed);
  await until('the first import', async () => (await importVersion(place, 0, 1)).outcome === 'ok');
  // Its layout is stored afterwards, and would wait for the same locks.
  await until('the layout is stored', () => finds(place.postgres, 'select from workflows where layout is not null'));
  const [broken, tally] = [[] as string[], { cut: 0, made: 0 }];
  // Every step equally often, from one that the seed chooses.
  const first = random.below(steps.length);
  // One server is killed while the other starts again.
  const back = place.servers.map(() => Promise.resolve());
  for (let round = 0, version = 2; round < count; round++) {
    const step = steps[(first + round) % steps.length] ?? answered;
    const server = round % place.servers.length;
    await back[server];
    const kill = () => (back[server] = place.servers[server]?.kill() ?? Promise.resolve());
    let [current, wanted] = ['', ''];
    const killed = await killAt(place, { step, kill }, async () => {
      [current, wanted] = [(await versionsThere(place)).join(), `v${version}`];
      return importVersion(place, server, version++);
    });
    const there = await versionsThere(place);
    const expected = step === committed || killed.outcome === 'ok' ? wanted : current;
    if (there.join() !== expected) {
      broken.push(`${wanted} after ${current}, killed when ${step}, answered ${killed.status}: ${there.join(', ')}`);
    }
    tally[there[0] === wanted ? 'made' : 'cut']++;
  }
  await Promise.all(back);
  return { broken, ...tally };
}

interface Planned {
  step: string;
  /** Kills the server, and starts it again. */
  kill: () => Promise<void>;
}

/** Kills the server when the import is at this step. Answers what the client was told. */
async function killAt(place: Place, { step, kill }: Planned, start: () => Promise<Answer>): Promise<Answer> {
  const lock = heldSteps[step];
  if (lock !== undefined) return killWaiting(place, lock, start, kill);
  if (step === committed) return killCommitted(place, start, kill);
  const answer = await start();
  void kill();
  return answer;
}

/** The import gives up waiting after 20 s. If it was not seen to wait by then, another follows. */
async function killWaiting({ postgres }: Place, lock: string, start: () => Promise<Answer>, kill: () => Promise<void>) {
  for (;;) {
    const answer = await withOwner(postgres, async (client) => {
      await client.query('begin');
      await client.query(lock);
      const held = watch(start());
      await until('an import waits for a lock', async () => held.isAnswered() || isWaitedFor(client));
      if (held.isAnswered()) return (await held.answer).outcome === 'ok' ? neverWaits(lock) : undefined;
      void kill();
      return held.answer;
    });
    if (answer) return answer;
  }
}

function neverWaits(lock: string): never {
  throw new Error(`no import waits for ${lock}`);
}

async function killCommitted({ postgres }: Place, start: () => Promise<Answer>, kill: () => Promise<void>) {
  const [found] = await ask<{ id: number }>(postgres, `select id::int from workflows where label = '${label}'`);
  const { id } = found ?? { id: 0 };
  for (;;) {
    await postgres.holdCommits();
    const held = watch(start());
    const isHeld = () => isCommitHeld(postgres, 'workflows', id);
    await until('the commit of an import is held', async () => held.isAnswered() || isHeld());
    const isKilled = !held.isAnswered();
    if (isKilled) void kill();
    const answer = await held.answer;
    await postgres.releaseCommits();
    await until('the commit is over', async () => !(await isChanging(postgres, 'workflows', id)));
    if (isKilled) return answer;
    if (answer.outcome === 'ok') throw new Error('an import was answered while commits were held');
  }
}

function watch(answer: Promise<Answer>) {
  let isAnswered = false;
  void answer.then(() => (isAnswered = true));
  return { answer, isAnswered: () => isAnswered };
}
