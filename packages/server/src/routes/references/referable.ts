/** The kinds of objects that a body or a filter can refer to. */
import type { Db } from '../../database/connection.ts';
import { Problem } from '../../errors.ts';
import type { Links } from '../../links.ts';
import * as store from '../../store/reference-candidates.ts';
import type { Scope } from '../../store/scope.ts';

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
export const stateReference: Referable = {
  collection: 'states',
  name: 'state',
  labelName: 'label',
  parentName: 'workflow',
  find: (db, _scope, keys) => store.findReferencedStates(db, keys),
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

/** 409 for text that matches several objects, by their labels or by the label of one and the id or URI of another. */
export function ambiguousReference(
  kind: Referable,
  links: Links,
  { pointer, text }: { pointer: string; text: string },
  candidates: readonly store.Candidate[],
): Problem {
  const shown = candidates.slice(0, store.maxCandidates);
  const uriOf = ({ id }: store.Candidate) => links.uri(kind.collection, id);
  const more = candidates.length > shown.length ? ' and others' : '';
  const uris = shown.map(uriOf).join(', ');
  const advice = pointer.startsWith('?') ? 'Use a URI.' : 'Use a URI, or the id as a number.';
  const detail = `More than one ${kind.name} matches "${text}": ${uris}${more}. ${advice}`;
  return new Problem('ambiguous_reference', detail, {
    faults: shown.map((candidate) => ({
      pointer,
      detail: `It could be ${uriOf(candidate)}, ${describe(kind, candidate)}.`,
    })),
  });
}

const describe = ({ labelName, parentName }: Referable, { label, parent }: store.Candidate) =>
  `${labelName} "${label}"` + (parentName === undefined ? '' : `, ${parentName} "${parent}"`);
