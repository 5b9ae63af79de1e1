/** Typed versions of Object.keys and Object.fromEntries. */

export const keysOf = <T extends object>(record: T) => Object.keys(record) as (keyof T & string)[];

export const recordOf = <K extends string, V>(names: readonly K[], valueOf: (name: K) => V) =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<K, V>;
