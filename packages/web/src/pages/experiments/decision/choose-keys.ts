/** Open the previous and the next decision. */
export const queueKeys = { next: 'j', previous: 'k' };

/**
 * A letter for each title: its first one that no earlier title and no other key has. Titles that are not possible now count, too, so
 * that a letter means the same for every experiment in a state.
 */
export function chooseKeys(titles: readonly string[]): (string | undefined)[] {
  const taken = new Set(Object.values(queueKeys));
  return titles.map((title) => {
    const key = title
      .toLowerCase()
      .match(/[a-z]/g)
      ?.find((letter) => !taken.has(letter));
    if (key !== undefined) taken.add(key);
    return key;
  });
}
