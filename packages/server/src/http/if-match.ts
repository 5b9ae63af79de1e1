/**
 * `ETag` and `If-Match`: a change can be made to depend on the version of the resource that its author has seen, so that
 * two who edit at once do not overwrite each other. Compared where the row is locked, or by the statement that writes.
 */
import { holdsVersion, type Operation } from '@milepost/api';
import type { FastifyRequest } from 'fastify';
import { invalid, Problem } from '../errors.ts';

/** Throws unless the caller has seen this version, or does not mind. */
export type HoldVersion = (version: number) => void;

export const etagOf = (version: number) => `"${version}"`;

export function readIfMatch({ headers, method }: FastifyRequest, operation: Operation): HoldVersion {
  const { 'if-match': given } = headers;
  if (given === undefined || method === 'GET' || method === 'HEAD') return () => undefined;
  if (!holdsVersion(operation)) {
    throw invalid({ pointer: 'If-Match', detail: 'Nothing is compared here: send this request without If-Match.' });
  }
  if (given.trim() === '*') return () => undefined;
  const seen = given.split(',').map((tag) => tag.trim());
  if (!seen.every((tag) => /^"\d{1,19}"$/.test(tag))) {
    throw invalid({
      pointer: 'If-Match',
      detail: 'If-Match takes what the header ETag of an answer said, such as "3".',
    });
  }
  return (version) => {
    if (!seen.includes(etagOf(version))) throw changed(version, given);
  };
}

const changed = (version: number, seen: string) =>
  new Problem(
    'version_changed',
    `It was changed since: its version is ${etagOf(version)} now, not ${seen}. Nothing was saved; read it again.`,
  );
