const format = new Intl.NumberFormat('en-US');

/** `8,211`. */
export const count = (value: number): string => format.format(value);

/** `1 experiment`, `8,211 experiments`. */
export const countOf = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
