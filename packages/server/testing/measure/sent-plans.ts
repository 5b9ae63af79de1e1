/** Reads the statements that the server sends to PostgreSQL for a request, and the plans that PostgreSQL chooses for them. */
import { basic } from '@milepost/api';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { withClient } from '../test-database.ts';
import { testPassword, type TestServer } from '../server.ts';

export interface Statement {
  text: string;
  values: unknown[];
}

/** The matching statements that are sent while the work runs. */
export async function statementsDuring(work: () => Promise<unknown>, wanted: RegExp): Promise<Statement[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  await work();
  const sent = spy.mock.calls.map(([query, values]: unknown[]): Statement =>
    typeof query === 'string'
      ? { text: query, values: (values as unknown[]) ?? [] }
      : { values: [], ...(query as { text: string }) },
  );
  spy.mockRestore();
  return sent.filter(({ text }) => wanted.test(text));
}

/** The matching statements that a GET request causes. */
export const sentStatements = (server: TestServer, path: string, wanted: RegExp): Promise<Statement[]> =>
  statementsDuring(async () => {
    const headers = { authorization: basic('admin', testPassword) };
    const response = await fetch(server.baseUrl + path, { headers });
    await response.text();
    expect(response.status).toBe(200);
  }, wanted);

/** The tables that the only statement on `table` reads. */
export async function tablesRead(table: string, work: () => Promise<unknown>): Promise<string[]> {
  const statements = await statementsDuring(work, new RegExp(`from "${table}"`));
  expect(statements).toHaveLength(1);
  const { text } = statements[0] ?? { text: '' };
  return [...text.matchAll(/(?:from|join) "(\w+)"/g)].map(([, name = '']) => name).toSorted();
}

export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Alias?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  /** With the pages of the nodes below it. */
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

export const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

/** PostgreSQL uses a custom plan for the first executions of a prepared statement and can then switch to a generic plan. */
export type Mode = 'force_custom_plan' | 'force_generic_plan';

/** Runs the statement as the owner, prepared like the driver of the server does. */
export function sentPlan(server: TestServer, { text, values }: Statement, mode: Mode): Promise<Plan[]> {
  return withClient(server.testDatabase.ownerUrl, async (client) => {
    const select = text.replace(/^declare .*? for (?=select)/, '');
    await client.query(`set plan_cache_mode = ${mode}`);
    // On small tables a bitmap scan costs the same as an index scan, so the choice would be random. On large ones it costs more.
    await client.query('set enable_bitmapscan = off');
    await client.query(`prepare sent as ${select}`);
    const literals = values.map((value) => (value === null ? 'null' : client.escapeLiteral(literal(value))));
    const args = values.length === 0 ? '' : `(${literals.join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (analyze, buffers, timing off, format json) execute sent${args}`,
    );
    return (rows[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodes(Plan));
  });
}

/** Arrays contain ids or hashes. */
const literal = (value: unknown) => (Array.isArray(value) ? `{${value.map(elementOf).join(',')}}` : String(value));
const elementOf = (value: unknown) =>
  Buffer.isBuffer(value) ? `"\\\\x${value.toString('hex')}"` : ((value ?? 'null') as string | number);

export const readsOf = (plan: Plan[], table: string) => plan.filter((node) => node['Relation Name'] === table);

/** The most rows that a node of the plan read. */
export const rowsRead = (plan: Plan[]) =>
  Math.max(
    0,
    ...plan.map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']),
  );
