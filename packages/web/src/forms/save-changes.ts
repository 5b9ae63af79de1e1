/**
 * Saves changes on the condition that the object still has the version that the user saw. If another user changed other
 * fields, the changes are sent again with the new version. If both changed the same field, the user decides.
 */
import { ProblemError, type Client, type OperationName } from '@milepost/api';
import { client, clientForVersion } from '../api/client.ts';
import type { BodyOf, CallOf } from '../api/operation-query.ts';
import { changesOf, conflictsOf, type Texts } from './changes.ts';

/** The texts of an object in one of its versions. */
export interface Version<T extends Texts> {
  version: string;
  texts: T;
}

/** Reads an object with its version. */
export async function readVersion<N extends OperationName, T extends Texts>(
  name: N,
  call: CallOf<N>,
  textsOf: (body: BodyOf<N>) => T,
): Promise<Version<T>> {
  const { headers, body } = await (client.call as AnyCall)(name, call);
  return { version: headers.get('etag') ?? '*', texts: textsOf(body as BodyOf<N>) };
}

type AnyCall = (name: OperationName, call: unknown) => Promise<{ headers: Headers; body: unknown }>;

/** Another user gave these fields other values. */
export class Conflict<T extends Texts> extends Error {
  readonly current: Version<T>;
  readonly names: readonly string[];

  constructor(current: Version<T>, names: readonly string[]) {
    super('Another user changed the same fields.');
    this.current = current;
    this.names = names;
  }
}

export interface Editing<T extends Texts, Saved> {
  read: () => Promise<Version<T>>;
  /** Sends the changes with a client that names the version. */
  send: (changes: Partial<T>, to: Client) => Promise<Saved>;
}

/** A busy experiment gets new versions often. */
const mostAttempts = 5;

export async function saveChanges<T extends Texts, Saved>(
  { read, send }: Editing<T, Saved>,
  first: Version<T>,
  edited: T,
): Promise<Saved> {
  const changes = changesOf(first.texts, edited);
  let { version } = first;
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(changes, clientForVersion(version));
    } catch (error) {
      if (!isOutdated(error) || attempt === mostAttempts) throw error;
      const current = await read();
      const names = conflictsOf(first.texts, changes, current.texts);
      if (names.length > 0) throw new Conflict(current, names);
      ({ version } = current);
    }
  }
}

const isOutdated = (error: unknown) => error instanceof ProblemError && error.problem?.code === 'version_changed';
