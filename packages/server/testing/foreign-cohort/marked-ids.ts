/**
 * Ids that can be known by their figures, wherever they stand: in a uri, a reference, a header or a number of its own. Each kind
 * of row of a study is counted from a number that nothing else comes near.
 */
import type { TestServer } from '../server.ts';

export const markedKinds = [
  'cohorts',
  'subjects',
  'experiments',
  'actions',
  'callback_executions',
  'incidents',
  'notes',
  'scans',
  'erasure_requests',
  'external_subject_links',
  'external_experiment_links',
] as const;
export type MarkedKind = (typeof markedKinds)[number];

const figures = '4242424';
/** Then two figures for the kind, and four for the row. */
const firstId = (index: number) => Number(`${figures}${10 + index}0001`);
const marked = new RegExp(`(?<!\\d)${figures}(\\d\\d)\\d{4}(?!\\d)`, 'g');

/** The kinds of rows whose marked ids stand in a text, each once. */
export const kindsIn = (text: string): MarkedKind[] => {
  const numbers = new Set([...text.matchAll(marked)].map(([, number]) => Number(number) - 10));
  return markedKinds.filter((_, index) => numbers.has(index));
};

/** What is made meanwhile has such ids; what is made afterwards goes on from where it was. */
export async function withMarkedIds<T>(server: TestServer, make: () => Promise<T>): Promise<T> {
  const usual = await Promise.all(markedKinds.map((kind) => nextId(server, kind)));
  await countFrom(
    server,
    markedKinds.map((_, index) => firstId(index)),
  );
  const made = await make();
  await countFrom(server, usual);
  return made;
}

async function nextId({ sql }: TestServer, kind: MarkedKind): Promise<number> {
  const [row] = await sql<{ next: string }>(`select coalesce(max(id), 0) + 1 as next from ${kind}`);
  return Number(row?.next);
}

async function countFrom({ sql }: TestServer, ids: readonly number[]): Promise<void> {
  for (const [index, kind] of markedKinds.entries()) {
    await sql(`select setval(pg_get_serial_sequence($1, 'id'), $2, false)`, [kind, ids[index]]);
  }
}
