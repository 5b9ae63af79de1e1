/** The rows of a list. The server sends all of them; with `--limit`, reading ends after that many. */
import type { Client, OperationName } from '@milepost/api/client';
import { wholeNumber } from './find-object.ts';
import type { Row } from '../output/cells.ts';

interface Parts {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | undefined>;
}

/** Every list has pages of this length. */
const mostInOnePage = 200;

export async function* listRows(
  client: Client,
  name: OperationName,
  parts: Parts,
  limitText: string | undefined,
): AsyncGenerator<Row, void> {
  const limit = readLimit(limitText);
  const query = { ...parts.query, ...(limit <= mostInOnePage && { limit }) };
  yield* takeRows(client.readRows(name, { ...parts, query }), limit);
}

export const readLimit = (text: string | undefined): number =>
  text === undefined ? Infinity : wholeNumber(text, '--limit');

export async function* takeRows(rows: AsyncIterable<Row>, limit: number): AsyncGenerator<Row, void> {
  let count = 0;
  for await (const row of rows) {
    yield row;
    count += 1;
    if (count >= limit) return;
  }
}
