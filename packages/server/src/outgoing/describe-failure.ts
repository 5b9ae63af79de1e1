/** Describes why a connection failed, for the log of a run. */
const descriptions: Record<string, string> = {
  ECONNREFUSED: 'connection refused (ECONNREFUSED)',
  ECONNRESET: 'the connection was closed (ECONNRESET)',
  ENOTFOUND: 'unknown host name (ENOTFOUND)',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the connection was closed before the response was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the connection was closed before the response was complete',
  UND_ERR_HEADERS_OVERFLOW: 'the response headers are larger than 16 KiB',
};

export function describeFailure(error: unknown): string {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return descriptions[code] ?? (message.replace(/\.$/, '') || code || 'unknown reason');
}
