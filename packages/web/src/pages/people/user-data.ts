/** The data of a user that users see and edit: how pages show it and save its changes. */
export interface UserData {
  name: string;
  username: string;
  email: string;
}

type Named = Pick<UserData, 'name' | 'username'>;

/** The name of a user, or the username if there is no name. */
export const displayName = ({ name, username }: Named): string => (name === '' ? username : name);

const fields = ['name', 'username', 'email'] as const;

/** Returns only the changed fields, so that changes by other users stay. An empty password is not sent. */
export function changesOf(stored: UserData, edited: UserData & { password: string }) {
  const changed = fields.filter((field) => edited[field].trim() !== stored[field].trim());
  const texts: Partial<UserData> = Object.fromEntries(changed.map((field) => [field, edited[field].trim()]));
  return { ...texts, ...(edited.password !== '' && { password: edited.password }) };
}
