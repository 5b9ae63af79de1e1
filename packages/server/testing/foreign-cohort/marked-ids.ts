/**
 * Ids that a test recognises by their digits in any text, such as a URI, a reference or a header. Each kind of row in a study
 * gets ids from a range that nothing else uses.
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
  'views',
  'bulk_operations',
  'imports',
  'import_mappings',
  'external_subject_links',
  'external_experiment_links',
] as const;
export type MarkedKind = (typeof markedKinds)[number];

const prefix = '4242424';
/** The prefix is followed by two digits for the kind and four for the row. */
const firstId = (index: number) => Number(`${prefix}${10 + index}0001`);
const marked = new RegExp(`(?<!\\d)${prefix}(\\d\\d)\\d{4}(?!\\d)`, 'g');

/** The kinds of rows whose marked ids appear in a text, each once. */
export const kindsIn = (text: string): MarkedKind[] => {
  const numbers = new Set([...text.matchAll(marked)].map(([, number]) => Number(number) - 10));
  return markedKinds.filter((_, index) => numbers.has(index));
};

/** Rows that `make` creates get marked ids. Later rows continue with the usual ids. */
export async function withMarkedIds<T>(server: TestServer, make: () => Promise<T>): Promise<T> {
  const usual = await Promise.all(markedKinds.map((kind) => nextId(server, kind)));
  await setNextIds(
    server,
    markedKinds.map((_, index) => firstId(index)),
  );
  const made = await make();
  await setNextIds(server, usual);
  return made;
}

async function nextId({ sql }: TestServer, kind: MarkedKind): Promise<number> {
  const [row] = await sql<{ next: string }>(`select coalesce(max(id), 0) + 1 as next from ${kind}`);
  return Number(row?.next);
}

async function setNextIds({ sql }: TestServer, ids: readonly number[]): Promise<void> {
  for (const [index, kind] of markedKinds.entries()) {
    await sql(`select setval(pg_get_serial_sequence($1, 'id'), $2, false)`, [kind, ids[index]]);
  }
}
