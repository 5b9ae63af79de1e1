/**
 * `ETag` and `If-Match`: a change can depend on the version of the resource that its author has seen, so that concurrent edits
 * do not overwrite each other. The version is compared while the row is locked, or by the statement that writes.
 */
import { supportsIfMatch, type Operation } from '@milepost/api';
import type { FastifyRequest } from 'fastify';
import { invalid, Problem } from '../errors.ts';

/** Throws if `If-Match` was sent and does not include this version. */
export type RequireVersion = (version: number) => void;

export const etagOf = (version: number) => `"${version}"`;

export function readIfMatch({ headers, method }: FastifyRequest, operation: Operation): RequireVersion {
  const { 'if-match': given } = headers;
  if (given === undefined || method === 'GET' || method === 'HEAD') return () => undefined;
  if (!supportsIfMatch(operation)) {
    throw invalid({
      pointer: 'If-Match',
      detail: 'This operation does not support If-Match. Send the request without it.',
    });
  }
  if (given.trim() === '*') return () => undefined;
  const seen = given.split(',').map((tag) => tag.trim());
  if (!seen.every((tag) => /^"\d{1,19}"$/.test(tag))) {
    throw invalid({
      pointer: 'If-Match',
      detail: 'If-Match must be the ETag of a response, such as "3".',
    });
  }
  return (version) => {
    if (!seen.includes(etagOf(version))) throw changed(version, given);
  };
}

const changed = (version: number, seen: string) =>
  new Problem(
    'version_changed',
    `The object has changed. Its version is now ${etagOf(version)}, not ${seen}. Nothing was saved. Read it again.`,
  );
