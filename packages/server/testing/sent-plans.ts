/** What the server really sends to PostgreSQL for a request, and by which plans it is answered. */
import { basic } from '@milepost/api';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { withClient } from './postgres.ts';
import { testPassword, type TestServer } from './server.ts';

export interface Statement {
  text: string;
  values: unknown[];
}

/** Those statements that are sent meanwhile and match. */
export async function statementsDuring(work: () => Promise<unknown>, wanted: RegExp): Promise<Statement[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await work();
  const sent = query.mock.calls.map(([given, values]: unknown[]): Statement =>
    typeof given === 'string'
      ? { text: given, values: (values as unknown[]) ?? [] }
      : { values: [], ...(given as { text: string }) },
  );
  query.mockRestore();
  return sent.filter(({ text }) => wanted.test(text));
}

/** Those statements of a request that match. */
export const sentStatements = (server: TestServer, path: string, wanted: RegExp): Promise<Statement[]> =>
  statementsDuring(async () => {
    const headers = { authorization: basic('admin', testPassword) };
    const response = await fetch(server.baseUrl + path, { headers });
    await response.text();
    expect(response.status).toBe(200);
  }, wanted);

/** Which tables the one statement reads that reads this one. */
export async function tablesRead(table: string, work: () => Promise<unknown>): Promise<string[]> {
  const statements = await statementsDuring(work, new RegExp(`from "${table}"`));
  expect(statements).toHaveLength(1);
  const { text } = statements[0] ?? { text: '' };
  return [...text.matchAll(/(?:from|join) "(\w+)"/g)].map(([, name = '']) => name).toSorted();
}

export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

export const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

/** A connection plans a statement anew at first, and may keep a plan for any values after that. */
export type Mode = 'force_custom_plan' | 'force_generic_plan';

/** Runs it as the owner, prepared as the server's driver prepares it. */
export function sentPlan(server: TestServer, { text, values }: Statement, mode: Mode): Promise<Plan[]> {
  return withClient(server.testDatabase.ownerUrl, async (client) => {
    const select = text.replace(/^declare .*? for (?=select)/, '');
    await client.query(`set plan_cache_mode = ${mode}`);
    // Of a parent as small as in tests a bitmap costs the same as the walk, and chance decides; of a large one it never does.
    await client.query('set enable_bitmapscan = off');
    await client.query(`prepare sent as ${select}`);
    const given =
      values.length === 0 ? '' : `(${values.map((value) => client.escapeLiteral(literal(value))).join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (analyze, timing off, format json) execute sent${given}`,
    );
    return (rows[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodes(Plan));
  });
}

/** Arrays are of ids. */
const literal = (value: unknown) => (Array.isArray(value) ? `{${value.join(',')}}` : String(value));

export const readsOf = (plan: Plan[], table: string) => plan.filter((node) => node['Relation Name'] === table);

/** How many rows the plan touched at its widest. */
export const rowsRead = (plan: Plan[]) =>
  Math.max(
    0,
    ...plan.map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']),
  );
