/** Object.keys and Object.fromEntries with the types that the compiler cannot infer. */

export const keysOf = <T extends object>(record: T) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- called with literals, which have no further keys
  Object.keys(record) as (keyof T & string)[];

export const recordOf = <K extends string, V>(names: readonly K[], valueOf: (name: K) => V) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every name has got its value
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<K, V>;
