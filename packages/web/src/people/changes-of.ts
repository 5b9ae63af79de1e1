export interface Person {
  name: string;
  username: string;
  email: string;
}

const fields = ['name', 'username', 'email'] as const;

/** Only what differs is sent: what others change meanwhile stays as they left it. An empty password is none. */
export function changesOf(stored: Person, wanted: Person & { password: string }) {
  const changed = fields.filter((field) => wanted[field].trim() !== stored[field].trim());
  const texts: Partial<Person> = Object.fromEntries(changed.map((field) => [field, wanted[field].trim()]));
  return { ...texts, ...(wanted.password !== '' && { password: wanted.password }) };
}
