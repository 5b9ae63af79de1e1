/** A number of minutes in words, for logs and errors. */
export const countMinutes = (count: number) => (count === 1 ? '1 minute' : `${count} minutes`);
