/**
 * Adding, setting and removing what a thing is called in other systems: the same steps for external URLs of cohorts,
 * external ids of subjects and experiments, and external links. Each locks its owner first, so that two callers take turns.
 */
import type { TSchema } from 'typebox';
import type { Tx } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';
import { notFound, Problem, referenceNotFound } from '../errors.ts';
import { created, ok, type Answer, type Call } from '../http/call.ts';
import { escapePointer, parseJson } from '../validation/json.ts';
import { validator } from '../validation/validate.ts';
import { findExternalSystems, getExternalSystemByName } from '../store/external-systems.ts';
import { recordChange } from '../store/record-change.ts';
import type { Scope } from '../store/scope.ts';
import { deleteSystemText, readSystemTexts, upsertSystemTexts, type SystemTexts } from '../store/system-texts.ts';

type Texts = Record<string, string>;

/** What has texts in other systems. */
interface Versioned {
  id: number;
  version: number;
}

export interface Owning<Row extends Versioned> {
  objectKind: string;
  texts: SystemTexts;
  lock: (tx: Tx, scope: Scope, id: number) => Promise<Row>;
  /** Raises the owner's version. */
  touch: (tx: Tx, id: number) => Promise<void>;
  cohortId: (row: Row) => number;
}

export interface Owner<Row extends Versioned, Body> extends Owning<Row> {
  answer: (row: Row, texts: Texts) => Body;
}

type AnyCall = Pick<Call, 'database' | 'account' | 'author' | 'holdVersion'>;

/** Adds and replaces the named systems and keeps the others, all or nothing: 201 if any is new. */
export async function addSystemTexts<Row extends Versioned, Body>(
  call: AnyCall,
  owner: Owner<Row, Body>,
  id: number,
  { texts, pointer }: { texts: Texts; pointer: string },
): Promise<Answer<Body>> {
  return change(call, owner, id, async (tx, before) => {
    const systems = await findExternalSystems(tx, Object.keys(texts));
    const idOf = new Map(systems.map((system) => [system.system_name, system.id]));
    const entries = Object.entries(texts).map(([name, text]) => {
      const systemId = idOf.get(name);
      if (systemId === undefined) throw unknownSystem(`${pointer}/${escapePointer(name)}`, name);
      return { systemId, text };
    });
    await upsertSystemTexts(tx, owner.texts, id, entries);
    return { after: { ...before, ...texts }, isNew: Object.keys(texts).some((name) => !Object.hasOwn(before, name)) };
  });
}

/** Sets one: 201 if it is new, 200 if it replaced another. */
export async function setSystemText<Row extends Versioned, Body>(
  call: AnyCall,
  owner: Owner<Row, Body>,
  id: number,
  { name, text }: { name: string; text: string },
): Promise<Answer<Body>> {
  return change(call, owner, id, async (tx, before) => {
    const system = await getExternalSystemByName(tx, name);
    return setOne(owner, id, { systemId: system.id, name, text })(tx, before);
  });
}

/** Sets the text in one system. */
export const setOne =
  (owner: { texts: SystemTexts }, id: number, entry: { systemId: number; name: string; text: string }): Work =>
  async (tx, before) => {
    const { systemId, name, text } = entry;
    await upsertSystemTexts(tx, owner.texts, id, [{ systemId, text }]);
    return { after: { ...before, [name]: text }, isNew: !Object.hasOwn(before, name) };
  };

export async function removeSystemText<Row extends Versioned, Body>(
  call: AnyCall,
  owner: Owner<Row, Body>,
  id: number,
  { name, what }: { name: string; what: string },
): Promise<Answer<Body>> {
  return change(call, owner, id, async (tx, before) => {
    const system = await getExternalSystemByName(tx, name);
    if (!Object.hasOwn(before, name)) throw notFound(`${what} of this ${owner.objectKind} in ${name}`);
    await deleteSystemText(tx, owner.texts, id, system.id);
    const { [name]: _removed, ...after } = before;
    return { after, isNew: false };
  });
}

export type Work = (tx: Tx, before: Texts) => Promise<{ after: Texts; isNew: boolean }>;

async function change<Row extends Versioned, Body>(
  call: AnyCall,
  owner: Owner<Row, Body>,
  id: number,
  work: Work,
): Promise<Answer<Body>> {
  const changed = await inTransaction(call.database.db, (tx) => changeTexts(tx, call, owner, id, work));
  const body = owner.answer(changed.row, changed.after);
  return changed.isNew ? created(body, changed.version) : ok(body, changed.version);
}

/** Does the work, and records it on the owner where anything differs afterwards. */
export async function changeTexts<Row extends Versioned>(
  tx: Tx,
  { account, author, holdVersion }: Pick<Call, 'account' | 'author' | 'holdVersion'>,
  owner: Owning<Row>,
  id: number,
  work: Work,
): Promise<{ row: Row; after: Texts; isNew: boolean; version: number }> {
  const row = await owner.lock(tx, account.scope, id);
  holdVersion(row.version);
  const before = await readSystemTexts(tx, owner.texts, id);
  const { after, isNew } = await work(tx, before);
  if (sameTexts(before, after)) return { row, after, isNew, version: row.version };
  await owner.touch(tx, id);
  const place = { objectKind: owner.objectKind, objectId: id, cohortId: owner.cohortId(row) };
  const { list } = owner.texts;
  await recordChange(tx, author, { ...place, before: { [list]: before }, after: { [list]: after } });
  return { row, after, isNew, version: row.version + 1 };
}

const sameTexts = (a: Texts, b: Texts) =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([name, text]) => b[name] === text);

const unknownSystem = (pointer: string, name: string) =>
  referenceNotFound(pointer, `external system with the name "${name}"`);

/** The object itself, or the same object as JSON text, which is held to the same schema. */
export function textsReader(schema: TSchema, pointer: string): (given: Texts | string) => Texts {
  const validate = validator(schema, (inner) => pointer + inner);
  return (given) => {
    const texts = typeof given === 'string' ? parseJsonText(given, pointer) : given;
    validate(texts);
    return normalisedNames(texts as Texts);
  };
}

function parseJsonText(text: string, pointer: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const detail = `${pointer} is text, but not the JSON text of an object.`;
    throw new Problem('invalid_request', detail, { faults: [{ pointer, detail }], cause: error });
  }
}

const normalisedNames = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name.normalize('NFC'), text]));
