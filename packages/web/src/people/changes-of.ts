export interface Person {
  name: string;
  username: string;
  email: string;
}

const fields = ['name', 'username', 'email'] as const;

/** Returns only the changed fields, so that changes by other users stay. An empty password is not sent. */
export function changesOf(stored: Person, edited: Person & { password: string }) {
  const changed = fields.filter((field) => edited[field].trim() !== stored[field].trim());
  const texts: Partial<Person> = Object.fromEntries(changed.map((field) => [field, edited[field].trim()]));
  return { ...texts, ...(edited.password !== '' && { password: edited.password }) };
}
