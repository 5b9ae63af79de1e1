/** The results of a day in bench/results. Each benchmark is stored when it ends, so that an interrupted run keeps them. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { Row } from './result.ts';

interface StoredRow extends Row {
  /** The name by which `npm run bench` runs it. */
  benchmark: string;
}

const folder = new URL('./results/', import.meta.url);
const file = () => new URL(`${new Date().toISOString().slice(0, 10)}.json`, folder);

export const readStored = (): Promise<StoredRow[]> =>
  readFile(file(), 'utf8').then(
    (text) => (JSON.parse(text) as { rows: StoredRow[] }).rows,
    () => [],
  );

/** Replaces the rows of the benchmark. */
export async function store(benchmark: string, measured: readonly Row[]): Promise<void> {
  const others = (await readStored()).filter((row) => row.benchmark !== benchmark);
  const rows = [...others, ...measured.map((row) => ({ benchmark, ...row }))];
  await mkdir(folder, { recursive: true });
  await writeFile(file(), `${JSON.stringify({ rows }, null, 2)}\n`);
}
