/**
 * Resolves the references in a body (docs/decisions/0004). Several fields can refer to the same object and must then agree. An
 * ambiguous reference is rejected.
 */
import type { Db } from '../../database/connection.ts';
import { invalid, type Problem, referenceNotFound } from '../../errors.ts';
import type { Call } from '../../http/call.ts';
import type { Candidate, ReferenceKey } from '../../store/reference-candidates.ts';
import { readReference } from './read-reference.ts';
import { ambiguousReference, type Referable } from './referable.ts';

interface Given {
  pointer: string;
  text: string;
  /** What the field can mean. */
  keys: readonly ReferenceKey[];
}

export interface Referred extends Candidate {
  /** The field that refers to it. */
  pointer: string;
}

type ReferringCall = Pick<Call, 'account' | 'links'> & { body: object };

/** The body has at least one of `fields`. */
export async function resolveReference(
  db: Db,
  call: ReferringCall,
  kind: Referable,
  fields: readonly string[],
): Promise<Referred> {
  const given = fields.flatMap((field) => readField(call, kind, field));
  const find = (references: readonly Given[]) => findCandidates(db, call, kind, references);
  const candidates = await find(given);
  const [first] = given;
  const [found, another] = candidates;
  if (first && another) throw ambiguousReference(kind, call.links, first, candidates);
  if (first && found) return { ...found, pointer: first.pointer };
  for (const one of given) if ((await find([one])).length === 0) throw missing(kind, one);
  throw contradicting(given);
}

/** A field whose name says label, name or protocol takes exactly that. */
const takesOnlyName = (field: string) => /_(?:label|name|protocol)$/.test(field);

function readField({ body, links }: ReferringCall, kind: Referable, field: string): Given[] {
  const value = (body as Record<string, number | string | undefined>)[field];
  if (value === undefined) return [];
  const keys = takesOnlyName(field) ? [{ label: String(value) }] : readReference(value, kind.collection, links);
  return [{ pointer: `/${field}`, text: String(value), keys }];
}

/** The objects that every field can mean. */
async function findCandidates(db: Db, { account }: ReferringCall, kind: Referable, given: readonly Given[]) {
  const byId = new Map<number, Candidate>();
  for (const keys of combinations(given)) {
    for (const candidate of await kind.find(db, account.scope, keys)) byId.set(candidate.id, candidate);
  }
  return [...byId.values()];
}

/** Each query has one key per field, so that it uses the index of the ids or the index of the labels. */
const combinations = (given: readonly Given[]) =>
  given.reduce<ReferenceKey[][]>((made, { keys }) => made.flatMap((some) => keys.map((key) => [...some, key])), [[]]);

function missing({ name, labelName }: Referable, { pointer, text, keys }: Given): Problem {
  const isId = keys.every((key) => 'id' in key);
  const other = keys.length === 1 ? '' : text.includes('/') ? ' or URI' : ' or id';
  return referenceNotFound(
    pointer,
    isId ? `${name} with id ${text}` : `${name} with the ${labelName}${other} "${text}"`,
  );
}

function contradicting(given: readonly Given[]): Problem {
  const pointers = given.map(({ pointer }) => pointer);
  const detail = `${pointers.join(' and ')} refer to different objects. Send only one of them.`;
  return invalid(...pointers.map((pointer) => ({ pointer, detail })));
}
