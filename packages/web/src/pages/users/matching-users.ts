export interface Named {
  name: string;
  username: string;
}

const fold = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** The users whose name or username contains every typed word, ignoring case and accents. */
export function matchingUsers<User extends Named>(users: readonly User[], typed: string): User[] {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  return users.filter(({ name, username }) => {
    const text = fold(`${name} ${username}`);
    return words.every((word) => text.includes(word));
  });
}
