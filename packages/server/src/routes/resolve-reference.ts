/**
 * Resolves the references in a body (docs/decisions/0004). Several fields can refer to the same object and must then agree. An
 * ambiguous label is rejected.
 */
import type { Db } from '../database/connection.ts';
import { invalid, Problem, referenceNotFound } from '../errors.ts';
import type { Call } from '../http/call.ts';
import type { Links } from '../links.ts';
import * as store from '../store/reference-candidates.ts';
import type { Scope } from '../store/scope.ts';
import { readReference } from './references.ts';

export interface Referable {
  /** The collection that a URI must belong to. */
  collection: string;
  /** Words for messages: the object, its label, and the parent in which the label is unique. */
  name: string;
  labelName: string;
  parentName?: string;
  find: (db: Db, scope: Scope, keys: readonly store.ReferenceKey[]) => Promise<store.Candidate[]>;
}

export const experimentReference: Referable = {
  collection: 'experiments',
  name: 'experiment',
  labelName: 'label',
  parentName: 'subject',
  find: store.findReferencedExperiments,
};
export const subjectReference: Referable = {
  collection: 'subjects',
  name: 'subject',
  labelName: 'label',
  parentName: 'cohort',
  find: store.findReferencedSubjects,
};
export const systemReference: Referable = {
  collection: 'external_systems',
  name: 'external system',
  labelName: 'name',
  find: (db, _scope, keys) => store.findReferencedSystems(db, keys),
};
export const scantypeReference: Referable = {
  collection: 'scantypes',
  name: 'scan type',
  labelName: 'protocol',
  find: (db, _scope, keys) => store.findReferencedScantypes(db, keys),
};

interface Given {
  pointer: string;
  key: store.ReferenceKey;
}

export interface Referred extends store.Candidate {
  /** The field that refers to it. */
  pointer: string;
}

/** The body has at least one of `fields`. */
export async function resolveReference(
  db: Db,
  { account, links, body }: Pick<Call, 'account' | 'links'> & { body: object },
  kind: Referable,
  fields: readonly string[],
): Promise<Referred> {
  const given = readGiven(body, kind, fields);
  const pointer = given[0]?.pointer ?? '';
  const find = (references: readonly Given[]) =>
    kind.find(
      db,
      account.scope,
      references.map(({ key }) => key),
    );
  const candidates = await find(given);
  if (candidates.length > 1) throw ambiguous(kind, pointer, candidates, links);
  const [found] = candidates;
  if (found) return { ...found, pointer };
  for (const one of given) if ((await find([one])).length === 0) throw missing(kind, one);
  throw contradicting(given);
}

function readGiven(body: object, kind: Referable, fields: readonly string[]): Given[] {
  return fields.flatMap((field) => {
    const value = (body as Record<string, number | string | undefined>)[field];
    if (value === undefined) return [];
    const pointer = `/${field}`;
    const key = typeof value === 'number' ? { id: value } : readReference(value, kind.collection);
    // A number too large for an id and a URI of another collection refer to nothing.
    if (!key || ('id' in key && !Number.isSafeInteger(key.id)))
      throw referenceNotFound(pointer, `${kind.name} "${value}"`);
    return [{ pointer, key }];
  });
}

const missing = ({ name, labelName }: Referable, { pointer, key }: Given) =>
  referenceNotFound(
    pointer,
    'id' in key ? `${name} with id ${key.id}` : `${name} with the ${labelName} "${key.label}"`,
  );

function contradicting(given: readonly Given[]): Problem {
  const pointers = given.map(({ pointer }) => pointer);
  const detail = `${pointers.join(' and ')} refer to different objects. Send only one of them.`;
  return invalid(...pointers.map((pointer) => ({ pointer, detail })));
}

function ambiguous(kind: Referable, pointer: string, candidates: readonly store.Candidate[], links: Links): Problem {
  const shown = candidates.slice(0, store.maxCandidates).map(({ id, label, parent }) => ({
    uri: links.uri(kind.collection, id),
    label,
    parent,
  }));
  const more = candidates.length > shown.length ? ' and others' : '';
  const uris = shown.map(({ uri }) => uri).join(', ');
  const named = `More than one ${kind.name} has the ${kind.labelName} "${shown[0]?.label}"`;
  return new Problem('ambiguous_reference', `${named}: ${uris}${more}. Use an id or a URI.`, {
    faults: shown.map(({ uri, parent }) => ({
      pointer,
      detail: `It could be ${uri} in the ${kind.parentName} "${parent}".`,
    })),
  });
}
