/** The name of a user, or the username if there is no name. */
export const displayName = ({ name, username }: { name: string; username: string }): string =>
  name === '' ? username : name;
