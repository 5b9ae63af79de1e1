/** Checks that all sides of a comparison write the same rows, so that a change of one side does not go unnoticed. */
import { withClient } from '../packages/server/testing/postgres-server.ts';
import type { BenchDatabase } from './database.ts';
import { whileOpen, type Side } from './sides.ts';

const tables = [
  'actions',
  'callback_executions',
  'execution_attempts',
  'history',
  'history_values',
  'events',
  'state_count_deltas',
];
/** Differ from row to row. */
const varying = new Set(
  `id experiment_id action_id execution_id actor_id object_id chain_id person_id history_id request_id at xid hash sequence start_time end_time
   created run_start wait_start finished deadline secret_hash worker started_at heartbeat_at ended_at`.split(/\s+/),
);

/** Different rows of each table, without ids and times. */
type Shapes = Record<string, string[]>;

export async function expectSameRows(database: BenchDatabase, sides: readonly Side[], size: number): Promise<void> {
  const found: Shapes[] = [];
  for (const side of sides) {
    found.push(
      await whileOpen(side, size, async () => {
        const since = await readXid(database);
        await side.run(size);
        return readShapes(database, since);
      }),
    );
  }
  for (const [index, shapes] of found.entries()) {
    const different = tables.filter((table) => String(shapes[table]) !== String(found[0]?.[table]));
    const lines = different.flatMap((table) => [table, ...(found[0]?.[table] ?? []), 'and', ...(shapes[table] ?? [])]);
    if (lines.length > 0) throw new Error(`${sides[0]?.name} and ${sides[index]?.name} differ: ${lines.join('\n')}`);
  }
}

const readXid = ({ ownerUrl }: BenchDatabase): Promise<string> =>
  withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ xid: string }>('select pg_current_xact_id()::text as xid');
    return rows[0]?.xid ?? '';
  });

const readShapes = ({ ownerUrl }: BenchDatabase, since: string): Promise<Shapes> =>
  withClient(ownerUrl, async (client) => {
    const shapes: Shapes = {};
    for (const table of tables) {
      const { rows } = await client.query<{ row: Record<string, unknown> }>(
        `select to_jsonb(${table}) as row from ${table} where xmin::text::bigint > $1 % 4294967296`,
        [since],
      );
      const whole = rows.filter(({ row }) => !isOpen(row));
      shapes[table] = [...new Set(whole.map(({ row }) => shapeOf(row)))].toSorted();
    }
    return shapes;
  });

/** Left by requests that had no successor when the time was up. */
const isOpen = ({ status, end_time, ended_at }: Record<string, unknown>) =>
  status === 'queued' || status === 'running' || end_time === null || ended_at === null;

function shapeOf(row: Record<string, unknown>): string {
  const shown = Object.entries(row).map(([name, value]) =>
    varying.has(name) ? `${name}${value === null ? ' null' : ''}` : `${name} ${JSON.stringify(value)}`,
  );
  // Ids, times and names of workers inside of texts and documents.
  return shown
    .join(', ')
    .replaceAll(/[0-9a-f]{64}|\d{2,}|(?<="experiment_id":|"label":"s)\d/g, '#')
    .replaceAll(/by \S+ at/g, 'by a worker at');
}
