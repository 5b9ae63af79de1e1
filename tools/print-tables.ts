/**
 * Prints packages/server/src/database/tables.ts: the row types of every table, for Kysely, from a migrated database.
 *   node --conditions=source tools/print-tables.ts [--check]
 */
import type { Client } from 'pg';
import { startTestPostgres, cloneDatabase, withClient } from '../packages/server/testing/postgres-server.ts';
import { printOrCheck } from './printed-file.ts';

export const tablesFile = 'packages/server/src/database/tables.ts';
const command = 'node --conditions=source tools/print-tables.ts';

interface Column {
  table_name: string;
  column_name: string;
  type: string;
  nullable: boolean;
  has_default: boolean;
  identity: boolean;
  /** Set by a trigger, as its comment says, so writers must not set it. */
  made: boolean;
  /** The check constraint that lists the column's values, if any. */
  choices: string | null;
}

/** Returns tables.ts for the connected database; the same on every version of PostgreSQL. */
export async function tablesText(client: Client): Promise<string> {
  const { rows } = await client.query<Column>(columnsQuery);
  const tables = Map.groupBy(rows, (column) => column.table_name);
  const names = [...tables.keys()];
  const interfaces = [...tables].map(([table, columns]) => {
    const fields = columns.map((column) => `  ${column.column_name}: ${columnType(column)};\n`);
    return `export interface ${typeName(table)} {\n${fields.join('')}}\n`;
  });
  const database = names.map((table) => `  ${table}: ${typeName(table)};\n`).join('');
  return [heading, ...interfaces, `export interface Database {\n${database}}\n`].join('\n');
}

const heading = `// Printed from the migrated database by: ${command}
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** Read as a value, written as JSON text, because the driver would convert arrays and strings differently. */
export type Json = ColumnType<JsonValue, string, string>;
export type JsonWithDefault = ColumnType<JsonValue, string | undefined, string>;
export type NullableJson = ColumnType<JsonValue | null, string | null | undefined, string | null>;
`;

const columnsQuery = `
  select c.table_name, c.column_name,
    case when c.data_type = 'ARRAY' then substr(c.udt_name, 2) || '[]' else c.data_type end as type,
    c.is_nullable = 'YES' as nullable,
    c.column_default is not null as has_default,
    c.is_identity = 'YES' as identity,
    col_description(format('public.%I', c.table_name)::regclass, c.ordinal_position) is not distinct from
      'made by the database' as made,
    (
      select pg_get_expr(k.conbin, k.conrelid)
      from pg_constraint k
      where k.conrelid = format('public.%I', c.table_name)::regclass and k.contype = 'c'
        and k.conkey = array[c.ordinal_position::smallint]
        and pg_get_expr(k.conbin, k.conrelid) ~ '^\\(\\w+ = ANY \\(ARRAY\\['
    ) as choices
  from information_schema.columns c
  where c.table_schema = 'public'
  order by c.table_name collate "C", c.ordinal_position`;

const scalarTypes: Record<string, string> = {
  text: 'string',
  'text[]': 'string[]',
  'int4[]': 'number[]',
  'int8[]': 'number[]',
  boolean: 'boolean',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  'timestamp with time zone': 'string',
  'timestamp without time zone': 'string',
  date: 'string',
  bytea: 'Buffer',
  xid8: 'string',
};

function columnType(column: Column): string {
  const name = `${column.table_name}.${column.column_name}`;
  if (column.type === 'json' || column.type === 'jsonb') return jsonType(column);
  const scalar = column.choices ? choiceType(column.choices) : scalarTypes[column.type];
  if (!scalar) throw new Error(`${name} has the type ${column.type}: add it to scalarTypes in tools/print-tables.ts`);
  const type = column.nullable ? `${scalar} | null` : scalar;
  if (column.identity || column.made) return `GeneratedAlways<${type}>`;
  return column.has_default ? `Generated<${type}>` : type;
}

function jsonType({ nullable, has_default: hasDefault }: Column): string {
  if (nullable) return 'NullableJson';
  return hasDefault ? 'JsonWithDefault' : 'Json';
}

/** `(kind = ANY (ARRAY['a'::text, 'b'::text]))` becomes `'a' | 'b'`. */
const choiceType = (check: string): string =>
  [...check.matchAll(/'([\w-]+)'::text/g)].map((match) => `'${match[1]}'`).join(' | ');

const typeName = (table: string): string =>
  `${table.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Table`;

async function main(): Promise<void> {
  const { server, end } = await startTestPostgres();
  try {
    const { ownerUrl } = await cloneDatabase(server);
    await printOrCheck({ file: tablesFile, text: await withClient(ownerUrl, tablesText), command });
  } finally {
    await end();
  }
}

if (import.meta.main) await main();
