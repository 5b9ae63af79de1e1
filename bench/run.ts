/** `npm run bench`: every measurement; `npm run bench -- move`: one. Prints a table and keeps the figures in bench/results. */
import { mkdir, writeFile } from 'node:fs/promises';
import { benchMove } from './move.ts';

const benches = { move: benchMove };

const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in benches));
if (unknown !== undefined) {
  console.error(`There is no measurement "${unknown}". There are: ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}
const rows = [];
for (const [name, measure] of Object.entries(benches)) {
  if (names.length === 0 || names.includes(name)) rows.push(await measure());
}
console.table(rows);
const folder = new URL('./results/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(
  new URL(`${new Date().toISOString().slice(0, 10)}.json`, folder),
  `${JSON.stringify({ rows }, null, 2)}\n`,
);
process.exit(0);
