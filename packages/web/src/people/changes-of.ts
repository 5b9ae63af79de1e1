export interface Person {
  name: string;
  email: string;
}

/** Only what differs is sent: what others change meanwhile stays as they left it. An empty password is none. */
export function changesOf(stored: Person, wanted: Person & { password: string }) {
  const [name, email] = [wanted.name.trim(), wanted.email.trim()];
  return {
    ...(name !== stored.name && { name }),
    ...(email !== stored.email && { email }),
    ...(wanted.password !== '' && { password: wanted.password }),
  };
}
