/**
 * `npm run bench -- csv`: how much the memory of the server grows while a client reads a million rows as CSV, from a list that is
 * streamed and from one that is read page by page, and rows per second.
 */
import { readLength } from './http-client.ts';
import { many, studies } from './large-study.ts';
import { readMemory, resetPeak } from './memory.ts';
import { atMost, withoutGoal, type Row } from './result.ts';
import { withServer } from './server.ts';

const goalMb = 100;
const lists = ['/experiments', '/experiment_rows?columns=id,label,subject.label,cohort.label,state.label,entered_at'];
const limit = 'One connection reads one batch at a time, and the client sets the pace.';

export async function benchCsv(): Promise<Row[]> {
  const { large: database } = await studies();
  return withServer({ DATABASE_URL: database.appUrl }, async ({ baseUrl, pid }) => {
    const rows: Row[] = [];
    for (const path of lists) rows.push(...(await measure(`${baseUrl}${path}`, pid)));
    return rows;
  });
}

async function measure(url: string, pid: number): Promise<Row[]> {
  const name = `CSV of ${new URL(url).pathname}`;
  const { resident } = await readMemory(pid);
  await resetPeak(pid);
  const start = performance.now();
  const bytes = await readLength(url, { accept: 'text/csv' });
  const seconds = (performance.now() - start) / 1000;
  const growth = (await readMemory(pid)).peak - resident;
  if (bytes < many * 10) throw new Error(`${url} returned only ${bytes} bytes`);
  return [
    atMost(goalMb, { name: `${name}, growth of memory`, unit: 'MB', rounds: [growth], limit }),
    withoutGoal({ name, unit: 'rows/s', rounds: [many / seconds], limit, detail: { MB: Math.round(bytes / 1e6) } }),
  ];
}
