const format = new Intl.NumberFormat('en-US');

/** `8,211`. */
export const count = (value: number): string => format.format(value);

/** The server counts up to this number. */
const maxCount = 10_000;

/** `8,211`, or `10,000+` for 10,000 and more. */
export const cappedCount = (value: number): string => (value >= maxCount ? `${count(maxCount)}+` : count(value));

/** `1 experiment`, `8,211 experiments`. */
export const countOf = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
