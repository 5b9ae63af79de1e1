const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Separates the headers of an HTTP response from the other result values. */
export function splitHeaders(values: unknown): { headers: Record<string, unknown> | undefined; rest: unknown } {
  if (!isObject(values) || !isObject(values['headers'])) return { headers: undefined, rest: values };
  const { headers, ...rest } = values;
  return { headers: isObject(headers) ? headers : undefined, rest };
}
