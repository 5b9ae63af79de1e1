/**
 * Kills a process at a chosen point of a request. Before the commit, while the request waits for a lock: nothing of it may
 * remain. After the commit, before the response: the change must exist although the response is lost.
 */
import type { Client } from 'pg';
import { createJournal } from './drive/journal.ts';
import { moveRequest } from './drive/mover.ts';
import type { RequestResult } from './drive/requests.ts';
import { finds, withOwner } from './testbed/query.ts';
import type { Testbed } from './testbed/testbed.ts';
import type { Postgres } from './testbed/postgres.ts';
import { createRandom } from './random.ts';
import { until } from './until.ts';

type Kill = () => Promise<void>;

export interface Probe {
  killBeforeCommit: (server: number, kill: Kill) => Promise<void>;
  killAfterCommit: (server: number, kill: Kill) => Promise<void>;
}

interface ProbeOptions {
  testbed: Testbed;
  /** An experiment that no other client moves. */
  experiment: number;
  seed: number;
  onLockWait: () => void;
}

export function createProbe(options: ProbeOptions): Probe {
  const { testbed, experiment, onLockWait } = options;
  const { postgres } = testbed;
  const start = createMoves(options);

  const tryBeforeCommit = (server: number, kill: Kill): Promise<TryResult> =>
    withOwner(postgres, async (client) => {
      await client.query('begin');
      await client.query('select from experiments where id = $1 for update', [experiment]);
      const move = start(server);
      await until('a request waits for a lock', async () => move.isCompleted() || isWaitedFor(client));
      if (move.isCompleted()) return tryResultOf(await move.completed);
      onLockWait();
      await kill();
      // The request is not repeated, so its outcome stays unknown.
      await move.completed;
      return 'hit';
    });

  const tryAfterCommit = async (server: number, kill: Kill): Promise<TryResult> => {
    await postgres.holdCommits();
    const move = start(server);
    const isHeld = () => isCommitHeld(postgres, 'experiments', experiment);
    await until('the commit of a request is held', async () => move.isCompleted() || isHeld());
    const killed = move.isCompleted() ? undefined : kill();
    const result = await move.completed;
    await until('commits are released', () => succeeds(postgres.releaseCommits()));
    await killed;
    await move.repeat();
    // PostgreSQL confirms the commit by itself after 5 s, so a response may have been sent before the kill.
    return killed && result.outcome === 'unknown' ? 'hit' : tryResultOf(result);
  };

  return {
    killBeforeCommit: (server, kill) => tryUntilHit(() => tryBeforeCommit(server, kill), kill),
    killAfterCommit: (server, kill) => tryUntilHit(() => tryAfterCommit(server, kill), kill),
  };
}

/** hit: killed at the chosen point. missed: the request completed without being held. failed: neither. */
type TryResult = 'hit' | 'missed' | 'failed';

const tryResultOf = ({ outcome }: RequestResult): TryResult => (outcome === 'unknown' ? 'failed' : 'missed');

/** A server that cannot be held is killed anyway. The checkers report the reason. */
const maxMissed = 10;

async function tryUntilHit(tryOnce: () => Promise<TryResult>, kill: Kill): Promise<void> {
  for (let missed = 0; missed < maxMissed;) {
    const result = await tryOnce();
    if (result === 'hit') return;
    if (result === 'missed') missed++;
  }
  await kill();
}

/** Moves the experiment between `ready` and `back`, one request at a time. */
function createMoves({ testbed, experiment, seed }: ProbeOptions) {
  const random = createRandom(seed, 400);
  const anyServer = createJournal(testbed, random);
  let state = 'ready';
  let number = 0;
  return (server: number) => {
    const wanted = { token: `k-${++number}`, move: { experiment, to: state === 'ready' ? 'back' : 'ready' } };
    const request = moveRequest(wanted, state);
    const oneServer = createJournal({ ...testbed, open: () => testbed.servers.slice(server, server + 1) }, random);
    let isCompleted = false;
    const completed = oneServer.attempt(wanted, 1, request).then((result) => {
      isCompleted = true;
      if (result.outcome === 'ok') state = wanted.move.to;
      return result;
    });
    return {
      completed,
      isCompleted: () => isCompleted,
      /** Repeats the request with the same key if its outcome is unknown. */
      repeat: async () => {
        if ((await completed).outcome !== 'unknown') return;
        if ((await anyServer.retry(wanted, request, { first: 2 })).outcome === 'ok') state = wanted.move.to;
      },
    };
  };
}

/** Whether a request waits for a lock of this client. */
export async function isWaitedFor(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid)) and application_name = 'milepost'`,
  );
  return rows.length > 0;
}

type Changed = 'experiments' | 'workflows';

const changing = (table: Changed) =>
  `select from ${table} as changed join pg_stat_activity on backend_xid = changed.xmax where changed.id = $1`;

/** Whether a transaction that changes this row is still open. */
export const isChanging = (postgres: Postgres, table: Changed, id: number): Promise<boolean> =>
  finds(postgres, changing(table), [id]);

/** Whether that transaction has written its commit and waits for the confirmation. */
export const isCommitHeld = (postgres: Postgres, table: Changed, id: number): Promise<boolean> =>
  finds(postgres, `${changing(table)} and wait_event = 'SyncRep'`, [id]);

const succeeds = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );
