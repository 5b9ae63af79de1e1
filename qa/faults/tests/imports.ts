/** A server is killed in the middle of an import: the workflow is then as it was, or as the new file has it, and nothing between. */
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '../drive/requests.ts';
import { ask } from '../place/ask.ts';
import { openPlace, type Place } from '../place/place.ts';
import { createRandom } from '../random.ts';
import type { Test } from './result.ts';

const moments = { full: 100, smoke: 10, quick: 12 };
const label = 'imported';
const states = 100;
const waysEach = 10;

/** Every state, way and callback of the file carries its number. */
function definition(version: number): string {
  const names = Array.from({ length: states }, (_, index) => `s${index}`);
  const stateOf = (name: string, index: number) => {
    const ways = Array.from({ length: waysEach }, (_, way) => `{destination: s${(index + way + 1) % states}}`);
    const callback = `{label: c, function: worker, description: v${version}}`;
    return `  - {label: ${name}, freetext: v${version}, callbacks: [${callback}], transitions: [${ways.join(', ')}]}`;
  };
  return `label: ${label}\ninitial: s0\nstates:\n${names.map(stateOf).join('\n')}\n`;
}

const importVersion = ({ servers }: Place, version: number) =>
  send(servers[0]?.current().baseUrl ?? '', {
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

export const imports: Test = async ({ size, seed, folder }) => {
  const place = await openPlace(folder);
  try {
    const { broken, cut, made } = await killInImports(place, seed, moments[size]);
    const isMet = cut > 0 && made > 0;
    return {
      verdict: broken.length > 0 ? 'failed' : isMet ? 'passed' : 'void',
      lines: [
        `${moments[size]} kills: ${cut} imports left nothing, ${made} were there as a whole, ${broken.length} neither`,
        ...broken.slice(0, 5),
      ],
      figures: { kills: moments[size], left_nothing: cut, whole: made, broken },
    };
  } finally {
    await place.stop();
  }
};

async function killInImports(place: Place, seed: number, count: number) {
  const random = createRandom(seed);
  const longestMs = await measureImport(place);
  const [broken, tally] = [[] as string[], { cut: 0, made: 0 }];
  let current = 'v1';
  for (let round = 2; round < count + 2; round++) {
    const importing = importVersion(place, round);
    await sleep(random.next() * longestMs);
    await place.servers[0]?.kill();
    const { outcome, status } = await importing;
    const there = await versionsThere(place);
    const wanted = `v${round}`;
    const isWhole = there.length === 1 && (there[0] === wanted || (there[0] === current && outcome !== 'ok'));
    if (!isWhole) broken.push(`v${round} after ${current}, answered ${status}: ${there.join(', ')}`);
    tally[there[0] === wanted ? 'made' : 'cut']++;
    current = there[0] ?? current;
  }
  return { broken, ...tally };
}

/**
 * The shortest of three, as a machine that stands still only adds. Each changes everything, and comes to a server that was started
 * just now, as all that follow do. What is kept in the end is v1.
 */
async function measureImport(place: Place): Promise<number> {
  await importVersion(place, 0);
  const took: number[] = [];
  for (const version of [1002, 1001, 1]) {
    await place.servers[0]?.kill();
    const start = performance.now();
    const { outcome, status } = await importVersion(place, version);
    if (outcome !== 'ok') throw new Error(`the import was answered with ${status}`);
    took.push(performance.now() - start);
  }
  // Some come behind the end.
  return 1.5 * Math.min(...took);
}
