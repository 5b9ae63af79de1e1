/** Applies `change` to every string in a JSON value, at any depth, and to property names if `names` is true. */
export function mapStrings(value: unknown, change: (text: string) => string, names = false): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((element) => mapStrings(element, change, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [names ? change(name) : name, mapStrings(inner, change, names)]),
  );
}
