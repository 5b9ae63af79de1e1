/** What must hold of what was restored. */
import { withClient } from '../../packages/server/testing/test-server.ts';
import { done, startLoad, type Load } from './load.ts';
import { runBlock } from './page.ts';
import { until } from './until.ts';

/** Told whether something holds. */
export type Hold = (holds: boolean, text: string) => void;

export interface Moment {
  text: string;
  /** Of this machine's clock: what was acknowledged before `from` was committed before it, what was sent after `to` after it. */
  from: number;
  to: number;
  /** Executions that were queued or running. */
  open: number;
}

export async function nowIn(url: string): Promise<Moment> {
  const from = Date.now();
  const { rows } = await withClient(url, (client) =>
    client.query<Pick<Moment, 'text' | 'open'>>(
      `select clock_timestamp()::text as text, (select count(*)::int from ${openOnes}) as open`,
    ),
  );
  return { ...(rows[0] ?? { text: '', open: 0 }), from, to: Date.now() };
}

const openOnes = `callback_executions where status in ('created', 'queued', 'running')`;

export async function judgeMoves(hold: Hold, { moves }: Load, { from, to }: Moment, url: string): Promise<void> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ number: number }>(`select freetext::int as number from actions where freetext <> ''`),
  );
  const there = new Set(rows.map(({ number }) => number));
  const before = moves.filter(({ doneAt }) => doneAt !== undefined && doneAt < from);
  const after = moves.filter(({ sentAt }) => sentAt > to);
  const lost = before.filter(({ number }) => !there.has(number));
  const tooLate = after.filter(({ number }) => there.has(number));
  hold(before.length > 500 && lost.length === 0, `${before.length} moves acknowledged before it, ${lost.length} lost`);
  hold(
    after.length > 200 && tooLate.length === 0,
    `${after.length} asked for after it, ${tooLate.length} of them there`,
  );
}

/** For a moment. */
export async function peopleMoveOn(hold: Hold, baseUrl: string, experiments: readonly number[]): Promise<void> {
  const load = startLoad(baseUrl, experiments);
  await until(() => done(load) > 50);
  await load.stop();
  hold(done(load) > 50, 'people move on');
}

export async function openExecutions(url: string): Promise<number> {
  return count(url, openOnes);
}

/** Whether what is written now has smaller numbers than what was signed: by these alone it would count as signed already. */
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

export async function verify(hold: Hold, environment: Record<string, string>, databaseUrl: string): Promise<void> {
  const shell = { account: undefined, environment: { ...environment, DATABASE_URL: databaseUrl } };
  const look = () => runBlock('Look at what was restored', shell).catch((error: Error) => error.message);
  let said = await look();
  // It could not look, which says nothing of what is there.
  for (let tries = 1; tries < 5 && said.includes('Not done:'); tries++) said = await look();
  const checkpoints = Number(/; (\d+) checkpoints, the last of 2/.exec(said)?.[1] ?? 0);
  hold(checkpoints > 1, `verified: ${said.trim().replaceAll('\n', ' ')}`);
}
