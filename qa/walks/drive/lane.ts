/**
 * A server on a database of its own, on which walks follow each other. Each walk has its own workflow and queue; when it
 * is over nothing of it is due any more, so that sweeps over the whole database find only what the next walk made.
 */
import { Client } from 'pg';
import { engineAs } from '../../../packages/server/testing/engine-as.ts';
import { createEngineWorld } from '../../../packages/server/testing/engine-world.ts';
import { startTestServer, testPassword, type TestServer } from '../../../packages/server/testing/server.ts';
import { openHttp, type Http } from './http.ts';

export type Rows = <T extends object>(text: string, values?: unknown[]) => Promise<T[]>;

export interface Lane {
  server: TestServer;
  http: Http;
  /** On one connection: a new one for each look would take longer than the look. */
  rows: Rows;
  moving: ReturnType<typeof engineAs>;
  subjectId: number;
  fresh: (kind: string) => string;
  stop: () => Promise<void>;
}

export async function openLane(): Promise<Lane> {
  const server = await startTestServer();
  const client = new Client({ connectionString: server.testDatabase.ownerUrl });
  await client.connect();
  const world = createEngineWorld(server);
  const http = openHttp(server.baseUrl, 'admin', testPassword);
  return {
    server,
    http,
    rows: async <T extends object>(text: string, values: unknown[] = []) =>
      (await client.query<T>({ name: nameOf(text), text, values })).rows,
    moving: engineAs(server, 'reconcile'),
    subjectId: (await world.subject()).id,
    fresh: (kind) => world.fresh(kind).replace(' ', '_'),
    stop: async () => {
      await http.close();
      await client.end();
      await server.stop();
    },
  };
}

/** Statements are parsed once. */
const names = new Map<string, string>();
function nameOf(text: string): string {
  const name = names.get(text) ?? `walks ${names.size}`;
  names.set(text, name);
  return name;
}

const callOff = `
  with open as (
    update callback_executions set status = 'skipped', deadline = null, next_attempt_at = null,
      finished = greatest(clock_timestamp(), wait_start, run_start, created)
    from actions
    where actions.id = action_id and experiment_id = any($1::bigint[]) and status not in ('finished', 'skipped')
    returning callback_executions.id)
  update execution_attempts set ended_at = greatest(clock_timestamp(), started_at)
  from open where execution_id = open.id and ended_at is null`;

export const cleanUp = ({ rows }: Lane, experimentIds: readonly number[]) => rows(callOff, [experimentIds]);
