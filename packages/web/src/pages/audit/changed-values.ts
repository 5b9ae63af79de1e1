/** A changed value as text, null if it was not set. */
export interface ChangedValue {
  name: string;
  before: string | null;
  after: string | null;
}

type Values = Record<string, unknown> | null;

const textOf = (values: Values, name: string): string | null => {
  const value = values?.[name];
  if (value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** All recorded values, except those that are the same before and after. */
export const changedValues = ({ before, after }: { before: Values; after: Values }): ChangedValue[] =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .map((name) => ({ name, before: textOf(before, name), after: textOf(after, name) }))
    .filter((value) => value.before !== value.after);
