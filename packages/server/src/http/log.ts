/** The log: one line of JSON for each thing that happened. */
import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';

/** PostgreSQL's errors carry the refused row in `detail` and `where`: names, e-mails, hashes. None of it belongs into a log. */
const withoutRows = (error: Error) => {
  const { detail: _detail, where: _where, internalQuery: _query, ...rest } = stdSerializers.err(error);
  return rest;
};

export const createLogger = (level: string, to?: DestinationStream): Logger =>
  pino({ level, serializers: { err: withoutRows } }, to);
