/** What differs between before and after, each value as text: null where it was not there. */
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

/** Whatever was recorded is shown, but for what both sides say alike. */
export const changedValues = ({ before, after }: { before: Values; after: Values }): ChangedValue[] =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .map((name) => ({ name, before: textOf(before, name), after: textOf(after, name) }))
    .filter((value) => value.before !== value.after);
