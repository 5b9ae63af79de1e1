/** What somebody is called: by the name, and who has none by the username. */
export const called = ({ name, username }: { name: string; username: string }): string =>
  name === '' ? username : name;
