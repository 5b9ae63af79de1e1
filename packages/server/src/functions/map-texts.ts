/** Every text inside a value of JSON, however deep, replaced by what `change` makes of it; names only if asked for. */
export function mapTexts(value: unknown, change: (text: string) => string, names = false): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((element) => mapTexts(element, change, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [names ? change(name) : name, mapTexts(inner, change, names)]),
  );
}
