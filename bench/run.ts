/** `npm run bench` runs all benchmarks, `npm run bench -- move` one. Prints a table and stores the figures in bench/results. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { benchAuditedMove } from './audited-move.ts';
import { benchChainedMove } from './chained-move.ts';
import { benchCountedMove } from './counted-move.ts';
import { benchCounts } from './counts.ts';
import { benchDispatch } from './dispatch.ts';
import { benchDrain } from './drain.ts';
import { benchImport } from './import.ts';
import { benchMove } from './move.ts';
import { benchReport } from './report.ts';
import type { Row } from './result.ts';
import { benchSignIn } from './sign-in.ts';

const benches = {
  move: benchMove,
  import: benchImport,
  drain: benchDrain,
  report: benchReport,
  dispatch: benchDispatch,
  counts: benchCounts,
  'counted-move': benchCountedMove,
  'chained-move': benchChainedMove,
  'audited-move': benchAuditedMove,
  'sign-in': benchSignIn,
};

const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in benches));
if (unknown !== undefined) {
  console.error(`Unknown benchmark "${unknown}". Benchmarks: ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}
const rows: Row[] = [];
for (const [name, measure] of Object.entries(benches)) {
  if (names.length === 0 || names.includes(name)) rows.push(...(await measure()));
}
print(rows);
await store(rows);
process.exit(0);

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
    if (limit !== undefined) console.log(`${name}: ${limit}`);
    if (detail)
      console.log(
        Object.entries(detail)
          .map(([of, value]) => `  ${of}: ${value}`)
          .join('\n'),
      );
  }
}

/** Keeps the last figure of each name per day. Benchmarks that were not run again keep theirs. */
async function store(measured: readonly Row[]): Promise<void> {
  const folder = new URL('./results/', import.meta.url);
  const file = new URL(`${new Date().toISOString().slice(0, 10)}.json`, folder);
  const stored = await readFile(file, 'utf8').then(
    (text) => (JSON.parse(text) as { rows: Row[] }).rows,
    () => [],
  );
  const others = stored.filter(({ name }) => measured.every((row) => row.name !== name));
  await mkdir(folder, { recursive: true });
  await writeFile(file, `${JSON.stringify({ rows: [...others, ...measured] }, null, 2)}\n`);
}
