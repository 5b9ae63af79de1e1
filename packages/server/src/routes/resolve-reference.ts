/**
 * Finds what a body refers to (docs/decisions/0004). Several fields may name the same thing, as programs know it by one name
 * or the other: then all of them have to mean it. A label that fits more than one thing is never resolved by chance.
 */
import type { Db } from '../database/connection.ts';
import { invalid, Problem, referenceNotFound } from '../errors.ts';
import type { Call } from '../http/call.ts';
import type { Links } from '../links.ts';
import * as store from '../store/referred-to.ts';
import type { Scope } from '../store/scope.ts';
import { readReference } from './references.ts';

export interface Referable {
  /** The one that a uri must be of. */
  collection: string;
  /** As sentences call it, and what they call its label and what that label is unique in. */
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
  find: store.findExperimentsReferredTo,
};
export const subjectReference: Referable = {
  collection: 'subjects',
  name: 'subject',
  labelName: 'label',
  parentName: 'cohort',
  find: store.findSubjectsReferredTo,
};
export const systemReference: Referable = {
  collection: 'external_systems',
  name: 'external system',
  labelName: 'name',
  find: (db, _scope, keys) => store.findSystemsReferredTo(db, keys),
};
export const scantypeReference: Referable = {
  collection: 'scantypes',
  name: 'scan type',
  labelName: 'protocol',
  find: (db, _scope, keys) => store.findScantypesReferredTo(db, keys),
};

interface Given {
  pointer: string;
  key: store.ReferenceKey;
}

export interface Referred extends store.Candidate {
  /** The field that named it. */
  pointer: string;
}

/** `fields` are the names in the body of which at least one is there. */
export async function resolveReference(
  db: Db,
  { account, links, body }: Pick<Call, 'account' | 'links'> & { body: object },
  kind: Referable,
  fields: readonly string[],
): Promise<Referred> {
  const given = readGiven(body, kind, fields);
  const pointer = given[0]?.pointer ?? '';
  const find = (those: readonly Given[]) =>
    kind.find(
      db,
      account.scope,
      those.map(({ key }) => key),
    );
  const candidates = await find(given);
  if (candidates.length > 1) throw ambiguous(kind, pointer, candidates, links);
  const [found] = candidates;
  if (found) return { ...found, pointer };
  for (const one of given) if ((await find([one])).length === 0) throw missing(kind, one);
  throw contradicting(kind, given);
}

function readGiven(body: object, kind: Referable, fields: readonly string[]): Given[] {
  return fields.flatMap((field) => {
    const value = (body as Record<string, number | string | undefined>)[field];
    if (value === undefined) return [];
    const pointer = `/${field}`;
    const key = typeof value === 'number' ? { id: value } : readReference(value, kind.collection);
    // Digits beyond any id, and the uri of something else, name nothing.
    if (!key || ('id' in key && !Number.isSafeInteger(key.id)))
      throw referenceNotFound(pointer, `${kind.name} "${value}"`);
    return [{ pointer, key }];
  });
}

const missing = ({ name, labelName }: Referable, { pointer, key }: Given) =>
  referenceNotFound(
    pointer,
    'id' in key ? `${name} with the id ${key.id}` : `${name} with the ${labelName} "${key.label}"`,
  );

function contradicting({ name }: Referable, given: readonly Given[]): Problem {
  const pointers = given.map(({ pointer }) => pointer);
  const detail = `${pointers.join(' and ')} do not mean the same ${name}: give one of them.`;
  return invalid(...pointers.map((pointer) => ({ pointer, detail })));
}

function ambiguous(kind: Referable, pointer: string, candidates: readonly store.Candidate[], links: Links): Problem {
  const shown = candidates.slice(0, store.mostCandidates).map(({ id, label, parent }) => ({
    uri: links.uri(kind.collection, id),
    label,
    parent,
  }));
  const more = candidates.length > shown.length ? ' and others' : '';
  const uris = shown.map(({ uri }) => uri).join(', ');
  const named = `More than one ${kind.name} has the ${kind.labelName} "${shown[0]?.label}"`;
  return new Problem('ambiguous_reference', `${named}: ${uris}${more}. Use the id or the uri of one.`, {
    faults: shown.map(({ uri, parent }) => ({
      pointer,
      detail: `It may be ${uri}, of the ${kind.parentName} "${parent}".`,
    })),
  });
}
