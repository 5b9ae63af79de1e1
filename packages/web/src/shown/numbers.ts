const format = new Intl.NumberFormat('en-US');

/** `8,211`. */
export const count = (value: number): string => format.format(value);

/** What needs attention is counted so far and no further. */
const mostCounted = 10_000;

/** `8,211`, or `10,000+`: that many or more. */
export const cappedCount = (value: number): string => (value >= mostCounted ? `${count(mostCounted)}+` : count(value));

/** `1 experiment`, `8,211 experiments`. */
export const countOf = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
