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

/** Without empty texts, for the body of a new object. */
export const filledIn = <T extends Texts>(texts: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(texts)
      .map(([name, text]) => [name, text.trim()] as const)
      .filter(([, text]) => text !== ''),
  ) as Partial<T>;
