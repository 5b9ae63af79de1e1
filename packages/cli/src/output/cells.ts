/** Values of a row by a dotted path: `state.label`. A path through a list has the values of all its elements. */

export type Row = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null;

export function valueAt(value: unknown, path: string): unknown {
  if (path === '' || value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((one) => valueAt(one, path));
  if (!isObject(value)) return undefined;
  // A key can contain dots: `variables.scanner.model`.
  if (path in value) return value[path];
  const [first = ''] = path.split('.', 1);
  return valueAt(value[first], path.slice(first.length + 1));
}

const isPlain = (value: unknown) => !isObject(value);

/** As text: an empty text for null, and JSON for objects. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every(isPlain)) return value.map(cellText).join(';');
  if (!isObject(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  return JSON.stringify(value);
}

const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/;

/** Times to the minute, in UTC. */
export const shortTime = (text: string): string => text.replace(time, '$1 $2Z');
