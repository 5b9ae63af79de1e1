/** Checks of a restored database. */
import { withClient } from '../../packages/server/testing/postgres-server.ts';
import { countDone, startLoad, type Load } from './load.ts';
import { runBlock } from './page.ts';
import { until } from './until.ts';

/** Reports a check. */
export type Check = (passed: boolean, text: string) => void;

export interface Moment {
  text: string;
  /** By the clock of this machine. Changes acknowledged before `from` precede the moment, those sent after `to` follow it. */
  from: number;
  to: number;
  /** The number of queued and running executions. */
  open: number;
}

export async function nowIn(url: string): Promise<Moment> {
  const from = Date.now();
  const { rows } = await withClient(url, (client) =>
    client.query<Pick<Moment, 'text' | 'open'>>(
      `select clock_timestamp()::text as text, (select count(*)::int from ${openRows}) as open`,
    ),
  );
  return { ...(rows[0] ?? { text: '', open: 0 }), from, to: Date.now() };
}

const openRows = `callback_executions where status in ('created', 'queued', 'running')`;

export async function checkMoves(check: Check, { moves }: Load, { from, to }: Moment, url: string): Promise<void> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ number: number }>(`select freetext::int as number from actions where freetext <> ''`),
  );
  const restored = new Set(rows.map(({ number }) => number));
  const before = moves.filter(({ doneAt }) => doneAt !== undefined && doneAt < from);
  const after = moves.filter(({ sentAt }) => sentAt > to);
  const lost = before.filter(({ number }) => !restored.has(number));
  const tooLate = after.filter(({ number }) => restored.has(number));
  check(before.length > 500 && lost.length === 0, `${before.length} moves acknowledged before it, ${lost.length} lost`);
  check(
    after.length > 200 && tooLate.length === 0,
    `${after.length} moves requested after it, ${tooLate.length} restored`,
  );
}

/** Checks that clients can move experiments. */
export async function checkMovesContinue(check: Check, baseUrl: string, experiments: readonly number[]): Promise<void> {
  const load = startLoad(baseUrl, experiments);
  await until(() => countDone(load) > 50);
  await load.stop();
  check(countDone(load) > 50, 'clients move experiments');
}

export async function openExecutions(url: string): Promise<number> {
  return count(url, openRows);
}

/** Whether new transaction ids are smaller than signed ones. By the ids alone, new entries would count as signed already. */
export const isBehindLastCheckpoint = (url: string): Promise<boolean> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ behind: boolean }>(
      'select pg_current_xact_id() < up_to_xid as behind from checkpoints order by number desc limit 1',
    );
    return rows[0]?.behind === true;
  });

export const countCheckpoints = (url: string): Promise<number> => count(url, 'checkpoints');

const count = (url: string, of: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ count: number }>(`select count(*)::int from ${of}`);
    return rows[0]?.count ?? -1;
  });

export async function verify(check: Check, environment: Record<string, string>, databaseUrl: string): Promise<void> {
  const shell = { account: undefined, environment: { ...environment, DATABASE_URL: databaseUrl } };
  const run = () => runBlock('Verify the restored database', shell).catch((error: Error) => error.message);
  let output = await run();
  // "Failed" means that the verification could not run, so it is repeated.
  for (let tries = 1; tries < 5 && output.includes('Failed: '); tries++) output = await run();
  const checkpoints = Number(/Checkpoints: (\d+) \(latest: 2/.exec(output)?.[1] ?? 0);
  check(checkpoints > 1, `milepost verify: ${output.trim().replaceAll('\n', ' ')}`);
}
