/** What the code of a failed connection means, for people who read the log of a run. */
const words: Record<string, string> = {
  ECONNREFUSED: 'nobody listens there (ECONNREFUSED)',
  ECONNRESET: 'the connection was cut (ECONNRESET)',
  ENOTFOUND: 'the name is not known (ENOTFOUND)',
  ETIMEDOUT: 'there was no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'there was no connection in time',
  UND_ERR_SOCKET: 'the connection was cut in the middle',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the connection was cut in the middle',
  UND_ERR_HEADERS_OVERFLOW: 'the head of the answer is too long',
};

export function failureWords(error: unknown): string {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return words[code] ?? (message.replace(/\.$/, '') || code || 'the reason is not known');
}
