/**
 * Brings a kill to a chosen point of one request. Before its commit, while it waits for a lock: nothing of it may be left.
 * After its commit, before the client is told: the change must be there, although its answer is lost.
 */
import type { Client } from 'pg';
import { createJournal } from './drive/journal.ts';
import { moveRequest } from './drive/mover.ts';
import type { Answer } from './drive/requests.ts';
import { finds, withOwner } from './place/ask.ts';
import type { Place } from './place/place.ts';
import type { Postgres } from './place/postgres.ts';
import { createRandom } from './random.ts';
import { until } from './until.ts';

type Kill = () => Promise<void>;

export interface Probe {
  killBeforeCommit: (server: number, kill: Kill) => Promise<void>;
  killAfterCommit: (server: number, kill: Kill) => Promise<void>;
}

interface ProbeOptions {
  place: Place;
  /** One that nobody else moves. */
  experiment: number;
  seed: number;
  onLockWait: () => void;
}

export function createProbe(options: ProbeOptions): Probe {
  const { place, experiment, onLockWait } = options;
  const { postgres } = place;
  const start = createMoves(options);

  const tryBeforeCommit = (server: number, kill: Kill): Promise<Tried> =>
    withOwner(postgres, async (client) => {
      await client.query('begin');
      await client.query('select from experiments where id = $1 for update', [experiment]);
      const move = start(server);
      await until('a request waits for a lock', async () => move.isAnswered() || isWaitedFor(client));
      if (move.isAnswered()) return triedOf(await move.answered);
      onLockWait();
      await kill();
      // Not repeated: its outcome stays unknown.
      await move.answered;
      return 'met';
    });

  const tryAfterCommit = async (server: number, kill: Kill): Promise<Tried> => {
    await postgres.holdCommits();
    const move = start(server);
    const isHeld = () => isCommitHeld(postgres, 'experiments', experiment);
    await until('the commit of a request is held', async () => move.isAnswered() || isHeld());
    const killed = move.isAnswered() ? undefined : kill();
    const answer = await move.answered;
    await until('commits are released', () => succeeds(postgres.releaseCommits()));
    await killed;
    await move.repeat();
    // PostgreSQL confirms a commit by itself after 5 s: an answer may have come before the kill.
    return killed && answer.outcome === 'unknown' ? 'met' : triedOf(answer);
  };

  return {
    killBeforeCommit: (server, kill) => tryUntilMet(() => tryBeforeCommit(server, kill), kill),
    killAfterCommit: (server, kill) => tryUntilMet(() => tryAfterCommit(server, kill), kill),
  };
}

/** met: it was killed where it should be. passed: the request was answered without being held. failed: neither. */
type Tried = 'met' | 'passed' | 'failed';

const triedOf = ({ outcome }: Answer): Tried => (outcome === 'unknown' ? 'failed' : 'passed');

/** A server that cannot be held where it should be is killed all the same: the checkers see why. */
const mostPassed = 10;

async function tryUntilMet(tryOnce: () => Promise<Tried>, kill: Kill): Promise<void> {
  for (let passed = 0; passed < mostPassed;) {
    const tried = await tryOnce();
    if (tried === 'met') return;
    if (tried === 'passed') passed++;
  }
  await kill();
}

/** Moves the experiment between `ready` and `back`, one request at a time. */
function createMoves({ place, experiment, seed }: ProbeOptions) {
  const random = createRandom(seed, 400);
  const anywhere = createJournal(place, random);
  let state = 'ready';
  let number = 0;
  return (server: number) => {
    const wanted = { token: `k-${++number}`, move: { experiment, to: state === 'ready' ? 'back' : 'ready' } };
    const request = moveRequest(wanted, state);
    const there = createJournal({ ...place, open: () => place.servers.slice(server, server + 1) }, random);
    let isAnswered = false;
    const answered = there.attempt(wanted, 1, request).then((answer) => {
      isAnswered = true;
      if (answer.outcome === 'ok') state = wanted.move.to;
      return answer;
    });
    return {
      answered,
      isAnswered: () => isAnswered,
      /** With its key, if the outcome is unknown. */
      repeat: async () => {
        if ((await answered).outcome !== 'unknown') return;
        if ((await anywhere.insist(wanted, request, { first: 2 })).outcome === 'ok') state = wanted.move.to;
      },
    };
  };
}

/** Whether a request waits for a lock that this client holds. */
export async function isWaitedFor(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid)) and application_name = 'milepost'`,
  );
  return rows.length > 0;
}

type Changed = 'experiments' | 'workflows';

const changing = (table: Changed) =>
  `select from ${table} as changed join pg_stat_activity on backend_xid = changed.xmax where changed.id = $1`;

/** Whether a transaction that changes this row has not ended. */
export const isChanging = (postgres: Postgres, table: Changed, id: number): Promise<boolean> =>
  finds(postgres, changing(table), [id]);

/** Whether that transaction has written its commit, and waits until it may confirm it. */
export const isCommitHeld = (postgres: Postgres, table: Changed, id: number): Promise<boolean> =>
  finds(postgres, `${changing(table)} and wait_event = 'SyncRep'`, [id]);

const succeeds = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );
