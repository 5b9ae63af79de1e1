/** The rows and buffers that statements read, from their plans. */
import pg from 'pg';

export interface Statement {
  text: string;
  values: unknown[];
}

export interface Cost {
  statements: number;
  rows: number;
  buffers: number;
}

/** Records the statements that connections send from now on. */
export function recordStatements(): Statement[] {
  const sent: Statement[] = [];
  const original = Reflect.get(pg.Client.prototype, 'query') as (...parts: unknown[]) => unknown;
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...parts: unknown[]) {
      const [given, values] = parts as [string | Statement, unknown[] | undefined];
      const text = typeof given === 'string' ? given : given.text;
      if (/^\s*(select|with)/.test(text)) {
        sent.push({ text, values: (typeof given === 'string' ? values : given.values) ?? [] });
      }
      return original.apply(this, parts);
    },
  });
  return sent;
}

interface Plan {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

/** Rows that scans returned or removed. A bitmap of an index is followed by its scan of the table. */
const rowsOf = (plan: Plan): number =>
  (/Scan/.test(plan['Node Type']) && !/Bitmap Index|Subquery|CTE|Function/.test(plan['Node Type'])
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)) *
      plan['Actual Loops']
    : 0) + (plan.Plans ?? []).reduce((sum, one) => sum + rowsOf(one), 0);

/** Executes the statements again. */
export async function explain(client: pg.Client, statements: readonly Statement[]): Promise<Cost> {
  const sums = { statements: statements.length, rows: 0, buffers: 0 };
  for (const { text, values } of statements) {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, timing off, format json) ${text}`,
      values,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    if (!plan) continue;
    const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    sums.rows += Math.round(rowsOf(plan));
    sums.buffers += buffers;
    if (process.env['BENCH_PLANS'] && buffers > 500) console.log(text, values, JSON.stringify(plan, undefined, 1));
  }
  return sums;
}
