import { notFound } from '../../errors.ts';
import type { ReferenceKey } from '../../store/reference-candidates.ts';
import { readInteger } from '../../validation/read-integer.ts';

/**
 * The object that a path names by its label. If nothing has this label, digits are read as an id. `describe` names the missing
 * object.
 */
export async function getByLabel<Row>(
  label: string,
  find: (key: ReferenceKey) => Promise<Row | undefined>,
  describe: (key: { label: string }) => string,
): Promise<Row> {
  const id = readInteger(label);
  const row = (await find({ label })) ?? (id === undefined ? undefined : await find({ id }));
  if (row === undefined) throw notFound(describe({ label }));
  return row;
}
