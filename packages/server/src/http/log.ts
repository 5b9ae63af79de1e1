/** The log: one line of JSON for each thing that happened, and no secret in it. */
import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';
import { createRedaction } from '../redact.ts';

/** PostgreSQL's errors carry the refused row in `detail` and `where`: names, e-mails, hashes. None of it belongs into a log. */
const withoutRows = (error: Error) => {
  const { detail: _detail, where: _where, internalQuery: _query, ...rest } = stdSerializers.err(error);
  return rest;
};

/** As the settings say. */
export interface LogSettings {
  logLevel: string;
  secrets: readonly string[];
}

export const createLogger = ({ logLevel, secrets }: LogSettings, to?: DestinationStream): Logger =>
  pino({ level: logLevel, serializers: { err: withoutRows }, hooks: { streamWrite: createRedaction(secrets) } }, to);
