/** A typed value: JSON such as `1.2`, `true` or `null`, and any other text as it is. */
export function variableValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
