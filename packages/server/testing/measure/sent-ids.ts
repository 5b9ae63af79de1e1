import type { List } from '../../src/database/read-list.ts';

/** The ids of a streamed list, in the order in which they are sent. */
export async function sentIds({ rows }: List<{ id: number }>): Promise<number[]> {
  if (Array.isArray(rows)) throw new Error('The list is held in memory.');
  const sent: string[] = [];
  for await (const piece of rows.joined(({ id }) => String(id), ',')) sent.push(piece);
  return sent.join(',').split(',').map(Number);
}
