/**
 * `npm run bench` runs all benchmarks, `npm run bench -- move` one. `npm run bench -- --resume` leaves out those that were already measured
 * today. Prints a table and stores the figures in bench/results.
 */
import { benchAuditedMove } from './audited-move.ts';
import { benchBulk } from './bulk.ts';
import { benchChainedMove } from './chained-move.ts';
import { benchCountedMove } from './counted-move.ts';
import { benchCounts } from './counts.ts';
import { benchCsv } from './csv.ts';
import { benchDispatch } from './dispatch.ts';
import { benchDrain } from './drain.ts';
import { benchGrowth } from './growth.ts';
import { benchImport } from './import.ts';
import { benchInsights } from './insights.ts';
import { closeStudies } from './large-study.ts';
import { benchDeep, benchList } from './list.ts';
import { benchMove } from './move.ts';
import { benchPlans } from './plans.ts';
import { benchRead } from './read.ts';
import { benchReport } from './report.ts';
import { benchSearch } from './search.ts';
import type { Row } from './result.ts';
import { benchSignIn } from './sign-in.ts';
import { benchStart } from './start.ts';
import { readStored, store } from './stored-results.ts';
import { benchStream } from './stream.ts';

const benches = {
  move: benchMove,
  bulk: benchBulk,
  import: benchImport,
  drain: benchDrain,
  report: benchReport,
  dispatch: benchDispatch,
  read: benchRead,
  'counted-move': benchCountedMove,
  'chained-move': benchChainedMove,
  'audited-move': benchAuditedMove,
  'sign-in': benchSignIn,
  plans: benchPlans,
  search: benchSearch,
  insights: benchInsights,
  growth: benchGrowth,
  start: benchStart,
  // The last ones share two studies.
  list: benchList,
  deep: benchDeep,
  counts: benchCounts,
  stream: benchStream,
  csv: benchCsv,
};

const resumes = process.argv.includes('--resume');
const names = process.argv.slice(2).filter((name) => name !== '--resume');
const unknown = names.find((name) => !(name in benches));
if (unknown !== undefined) {
  console.error(`Unknown benchmark "${unknown}". Benchmarks: ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}
const stored = resumes ? await readStored() : [];
const rows: Row[] = [];
let failed = false;
for (const [name, measure] of Object.entries(benches)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const earlier = stored.filter(({ benchmark }) => benchmark === name);
  rows.push(...(earlier.length > 0 ? earlier : await measureAndStore(name, measure)));
}
await closeStudies();
print(rows);
process.exit(failed ? 1 : 0);

/** The other benchmarks run even if one fails. */
async function measureAndStore(name: string, measure: () => Promise<Row[]>): Promise<Row[]> {
  console.log(name);
  try {
    const measured = await measure();
    await store(name, measured);
    return measured;
  } catch (error) {
    console.error(error);
    failed = true;
    return [];
  }
}

/** The limits and details do not fit into a table. */
function print(measured: readonly Row[]): void {
  console.table(
    measured.map(({ name, goal, figure, unit, spread, met, byCpu }) => ({
      name,
      goal,
      figure,
      unit,
      spread,
      met,
      byCpu,
    })),
  );
  for (const { name, limit, detail } of measured) {
    console.log(`${name}: ${limit}`);
    for (const [of, value] of Object.entries(detail ?? {})) console.log(`  ${of}: ${value}`);
  }
}
