/**
 * A server with its own database, on which walks run one after the other. Each walk has its own workflow and queue. At its end
 * nothing of it is due, so sweeps over the whole database only find executions of the next walk.
 */
import { Client } from 'pg';
import { engineContext } from '../../../packages/server/testing/engine-context.ts';
import { createEngineWorld } from '../../../packages/server/testing/engine-world.ts';
import { startTestServer, testPassword, type TestServer } from '../../../packages/server/testing/server.ts';
import { maxValuesBytes } from '../model/report.ts';
import { openHttp, type Http } from './http.ts';

export type Rows = <T extends object>(text: string, values?: unknown[]) => Promise<T[]>;

export interface Lane {
  server: TestServer;
  http: Http;
  /** Uses one connection, because opening one takes longer than a query. */
  rows: Rows;
  context: ReturnType<typeof engineContext>;
  subject: { id: number; label: string; cohort: { id: number } };
  fresh: (kind: string) => string;
  stop: () => Promise<void>;
}

export async function openLane(): Promise<Lane> {
  const server = await startTestServer({ settings: { MILEPOST_RESULT_VALUES_BYTES: String(maxValuesBytes) } });
  const client = new Client({ connectionString: server.testDatabase.ownerUrl });
  await client.connect();
  const world = createEngineWorld(server);
  const http = openHttp(server.baseUrl, 'admin', testPassword);
  return {
    server,
    http,
    rows: async <T extends object>(text: string, values: unknown[] = []) =>
      (await client.query<T>({ name: nameOf(text), text, values })).rows,
    context: engineContext(server, 'reconcile'),
    subject: await world.subject(),
    fresh: (kind) => world.fresh(kind).replace(' ', '_'),
    stop: async () => {
      await http.close();
      await client.end();
      await server.stop();
    },
  };
}

/** Names make statements prepared, so that they are parsed once. */
const names = new Map<string, string>();
function nameOf(text: string): string {
  const name = names.get(text) ?? `walks ${names.size}`;
  names.set(text, name);
  return name;
}

const closeExecutions = `
  with open as (
    update callback_executions set status = 'skipped', result = 'none', deadline = null, next_attempt_at = null,
      finished = greatest(clock_timestamp(), wait_start, run_start, created)
    from actions
    where actions.id = action_id and experiment_id = any($1::bigint[]) and status not in ('finished', 'skipped')
    returning callback_executions.id)
  update execution_attempts set ended_at = greatest(clock_timestamp(), started_at)
  from open where execution_id = open.id and ended_at is null`;

export const cleanUp = ({ rows }: Lane, experimentIds: readonly number[]) => rows(closeExecutions, [experimentIds]);
