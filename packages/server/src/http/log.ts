/** The log: one line of JSON per event, without secrets. */
import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';
import { createRedaction } from '../redact.ts';

/** PostgreSQL's errors contain the rejected row in `detail` and `where`: names, e-mails, hashes. These must not be logged. */
const withoutRows = (error: Error) => {
  const { detail: _detail, where: _where, internalQuery: _query, ...rest } = stdSerializers.err(error);
  return rest;
};

export interface LogSettings {
  logLevel: string;
  secrets: readonly string[];
}

export const createLogger = ({ logLevel, secrets }: LogSettings, to?: DestinationStream): Logger =>
  pino({ level: logLevel, serializers: { err: withoutRows }, hooks: { streamWrite: createRedaction(secrets) } }, to);
