/**
 * Reads an integer of at least 0 that is written as decimal digits without leading zeros. Each id has one spelling, so a label
 * such as `0003` is never read as an id.
 */
export function readInteger(text: string): number | undefined {
  const number = /^(?:0|[1-9]\d*)$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(number) ? number : undefined;
}
