/** The changes of a form, and those that contradict the changes of another user. */
export type Texts = Readonly<Record<string, string>>;

/** The changed texts. Only these are sent, so that changes of other users to other fields stay. */
export const changesOf = <T extends Texts>(first: T, edited: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(edited)
      .map(([name, text]) => [name, text.trim()] as const)
      .filter(([name, text]) => text !== (first[name] ?? '').trim()),
  ) as Partial<T>;

/** The names of the changed texts to which another user gave another value in the meantime. */
export const conflictsOf = (first: Texts, changes: Partial<Texts>, current: Texts): string[] =>
  Object.keys(changes).filter(
    (name) => (current[name] ?? '') !== (first[name] ?? '') && (current[name] ?? '') !== changes[name],
  );

/**
 * The texts on which the next attempt is based: the values that the user now sees. Other fields keep their first texts. Those that the user
 * has not changed are then not sent, and the changes of the other user stay.
 */
export const afterConflict = <T extends Texts>(first: T, names: readonly string[], current: Texts): T => ({
  ...first,
  ...Object.fromEntries(names.map((name) => [name, current[name] ?? ''])),
});

/** Without empty texts, for the body of a new object. */
export const filledIn = <T extends Texts>(texts: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(texts)
      .map(([name, text]) => [name, text.trim()] as const)
      .filter(([, text]) => text !== ''),
  ) as Partial<T>;
