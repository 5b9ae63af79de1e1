export interface Named {
  name: string;
  username: string;
}

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Those whose name or username holds every word that was typed, whatever its case and accents. */
export function matchingUsers<User extends Named>(users: readonly User[], typed: string): User[] {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  return users.filter(({ name, username }) => {
    const text = plain(`${name} ${username}`);
    return words.every((word) => text.includes(word));
  });
}
