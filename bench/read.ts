/**
 * `npm run bench -- read`: GET /experiments/{id} with Basic authentication relative to a bare handler (bare-read.ts) that returns
 * the same body from the same database.
 */
import { fileURLToPath } from 'node:url';
import { startProgram } from '../packages/server/testing/processes/program-process.ts';
import { makeStudy } from './callback-study.ts';
import { query, withDatabase, type BenchDatabase } from './database.ts';
import { authorization } from './http-client.ts';
import { sendRequests } from './http-load.ts';
import { atLeast, withoutGoal, type Row } from './result.ts';
import { withServer } from './server.ts';
import { alternate, compare, detailOf, speedOf, type Rounds, type Side } from './sides.ts';

const experiments = 10_000;
const connections = 16;
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const goal = 0.6;

interface Handler {
  url: string;
  pid: number;
}

export const benchRead = (): Promise<Row[]> =>
  withDatabase(async (database) => {
    await makeStudy(database.ownerUrl, experiments);
    await addValues(database);
    const settings = { DATABASE_URL: database.appUrl, MILEPOST_POOL_SIZE: String(connections) };
    return withServer(settings, (server) =>
      withBareHandler(database, server.url, async (handler) => {
        await expectSameBody(server, handler);
        const sizes = { size: seconds, warmUp: Math.min(seconds, 5), counted: Math.min(seconds, 2) };
        return measure(
          { product: sideOf('product', server), bare: sideOf('the bare handler', handler) },
          { database, rounds, ...sizes },
        );
      }),
    );
  });

async function measure(sides: Record<'product' | 'bare', Side>, options: Rounds): Promise<Row[]> {
  const { product, bare } = await alternate(sides, options);
  return [
    atLeast(goal, { name: 'read', ...compare(product, bare), detail: await detailOf(product, options) }),
    withoutGoal({ name: 'read by the bare handler', ...speedOf(bare), detail: await detailOf(bare, options) }),
  ];
}

/** An external ID and two variables for each experiment. */
const addValues = ({ ownerUrl }: BenchDatabase) =>
  query(
    ownerUrl,
    `insert into external_systems (system_name) values ('archive')`,
    `insert into external_experiment_links (experiment_id, cohort_id, external_system_id, external_id)
     select id, cohort_id, 1, 'A' || id from experiments`,
    `insert into experiment_variables (experiment_id, name, value)
     select id, name, '7.5' from experiments, unnest('{quality,volume}'::text[]) name`,
  );

async function withBareHandler<T>(
  { appUrl }: BenchDatabase,
  publicUrl: string,
  use: (handler: Handler) => Promise<T>,
): Promise<T> {
  const file = fileURLToPath(new URL('./bare-read.ts', import.meta.url));
  const settings = { DATABASE_URL: appUrl, BENCH_AUTHORIZATION: authorization, BENCH_PUBLIC_URL: publicUrl };
  const { matched, pid, stop } = await startProgram({ file, flags: [] }, settings, /Bare handler at (\S+)/);
  try {
    return await use({ url: matched[0] ?? '', pid });
  } finally {
    await stop();
  }
}

const sideOf = (name: string, { url, pid }: Handler): Side => ({
  name,
  nodes: () => [pid],
  run: (forSeconds) => sendRequests({ url, script: 'read.lua', connections, authorization, seconds: forSeconds }),
});

async function expectSameBody(...handlers: readonly Handler[]): Promise<void> {
  const bodies = await Promise.all(
    handlers.map(async ({ url }) =>
      (await fetch(`${url}/api/v2/experiments/17`, { headers: { authorization } })).text(),
    ),
  );
  if (new Set(bodies).size > 1) throw new Error(`The bodies differ:\n${bodies.join('\n')}`);
}
