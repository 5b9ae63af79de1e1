/**
 * `npm run bench -- import`: imports a definition of 200 states and 2,000 transitions over HTTP: new, identical and changed. An
 * import may take 2 s and may not block the event loop for more than 50 ms at a time.
 */
import { basic } from '@milepost/api';
import { changedLargeWorkflow, largeWorkflow } from '../packages/server/testing/rows/large-workflow.ts';
import type { ServerProcess } from '../packages/server/testing/processes/server-process.ts';
import { withDatabase } from './database.ts';
import { limitOf, measureUse } from './limit.ts';
import { atMost, median, rounded, type Row } from './result.ts';
import { password, withServer } from './server.ts';

const rounds = 7;
const goalSeconds = 2;
const goalDelayMs = 50;

const kinds = { new: largeWorkflow, identical: largeWorkflow, changed: changedLargeWorkflow };
type Kind = keyof typeof kinds;

interface Import {
  kind: Kind;
  seconds: number;
  /** The longest delay of the event loop during the import. */
  delayMs: number;
}

export const benchImport = (): Promise<Row[]> =>
  withDatabase(({ appUrl, ownerUrl, pid }) =>
    withServer({ DATABASE_URL: appUrl }, async (server) => {
      await importRound(server, 'warm-up');
      const { result: imports, use } = await measureUse(ownerUrl, { Node: server.pid, PostgreSQL: pid }, () =>
        importRounds(server),
      );
      const limit = limitOf([use]);
      return [secondsRow(imports, limit), delayRow(imports, limit)];
    }),
  );

async function importRounds(server: ServerProcess): Promise<Import[]> {
  const imports: Import[] = [];
  for (let round = 1; round <= rounds; round++) imports.push(...(await importRound(server, `round ${round}`)));
  return imports;
}

/** The kind with the highest median. */
function secondsRow(imports: readonly Import[], limit: string): Row {
  const perKind = Object.keys(kinds).map((kind) =>
    imports.filter((one) => one.kind === kind).map((one) => one.seconds),
  );
  const slowest = perKind.toSorted((a, b) => median(b) - median(a))[0] ?? [];
  return atMost(goalSeconds, { name: 'import', unit: 's', rounds: slowest, limit });
}

/** The maximum, not the median, because it is what a delayed request experiences. */
function delayRow(imports: readonly Import[], limit: string): Row {
  const delays = imports.map(({ delayMs }) => delayMs);
  const figure = rounded(Math.max(...delays));
  const row = atMost(goalDelayMs, { name: 'import, event loop', unit: 'ms', rounds: delays, limit });
  return { ...row, figure, met: figure <= goalDelayMs };
}

async function importRound(server: ServerProcess, label: string): Promise<Import[]> {
  const imports: Import[] = [];
  for (const kind of Object.keys(kinds) as Kind[]) imports.push(await importOne(server, kind, label));
  const texts = imports.map(
    ({ kind, seconds, delayMs }) => `${kind} ${seconds.toFixed(2)} s (${delayMs.toFixed(0)} ms)`,
  );
  console.log(`${label}: ${texts.join(', ')}`);
  return imports;
}

async function importOne(server: ServerProcess, kind: Kind, label: string): Promise<Import> {
  const delay = () => server.metric('milepost_event_loop_delay_seconds');
  await delay();
  const start = performance.now();
  const outcome = await post(server, kinds[kind](label));
  const seconds = (performance.now() - start) / 1000;
  if (outcome !== kind) throw new Error(`import of ${label}: outcome ${outcome} (expected ${kind})`);
  return { kind, seconds, delayMs: (await delay()) * 1000 };
}

async function post({ baseUrl }: ServerProcess, workflow_definition: string): Promise<string | undefined> {
  const headers = { authorization: basic('admin', password), 'content-type': 'application/json' };
  const body = JSON.stringify({ workflow_definition });
  const response = await fetch(`${baseUrl}/service/config/import-workflow`, { method: 'POST', headers, body });
  return ((await response.json()) as { outcome?: string }).outcome;
}
