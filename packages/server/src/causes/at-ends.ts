/** A long text is read at both ends only, where its errors are. */
const maxLength = 64 * 1024;

export const atEnds = (text: string): string =>
  text.length <= 2 * maxLength ? text : `${text.slice(0, maxLength)}\n${text.slice(-maxLength)}`;
