/**
 * Adds, sets and removes external values: the URLs of cohorts and the IDs of subjects and experiments in external systems, also
 * as external links. Each change locks the owner first.
 */
import { escapePointer } from '@milepost/api';
import type { TSchema } from 'typebox';
import type { Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { notFound, Problem, referenceNotFound } from '../../errors.ts';
import { created, ok, type Answer, type Call } from '../../http/call.ts';
import { parseJson } from '../../validation/json.ts';
import { validator } from '../../validation/validate.ts';
import { findExternalSystems } from '../../store/study/external-systems.ts';
import { recordChange } from '../../store/record/record-change.ts';
import type { Scope } from '../../store/scope.ts';
import {
  deleteExternalValue,
  readExternalValues,
  upsertExternalValues,
  type ExternalValues,
} from '../../store/study/external-values.ts';
import { getNamedSystem } from './external-systems.ts';

type Values = Record<string, string>;

interface Versioned {
  id: number;
  version: number;
}

export interface Owning<Row extends Versioned> {
  objectKind: string;
  values: ExternalValues;
  lock: (tx: Tx, scope: Scope, id: number) => Promise<Row>;
  /** Increments the owner's version. */
  touch: (tx: Tx, id: number) => Promise<void>;
  cohortId: (row: Row) => number;
}

export interface Owner<Row extends Versioned, Body> extends Owning<Row> {
  answer: (row: Row, values: Values) => Body;
}

type AnyCall = Pick<Call, 'database' | 'account' | 'author' | 'requireVersion'>;

/** Adds or replaces the values of the named systems and keeps the others. Returns 201 if any is new. */
export async function addExternalValues<Row extends Versioned, Body>(
  call: AnyCall,
  owner: Owner<Row, Body>,
  id: number,
  { values, pointer }: { values: Values; pointer: string },
): Promise<Answer<Body>> {
  return change(call, owner, id, async (tx, before) => {
    const systems = await findExternalSystems(tx, Object.keys(values));
    const idOf = new Map(systems.map((system) => [system.system_name, system.id]));
    const entries = Object.entries(values).map(([name, text]) => {
      const systemId = idOf.get(name);
      if (systemId === undefined) throw unknownSystem(`${pointer}/${escapePointer(name)}`, name);
      return { systemId, text };
    });
    await upsertExternalValues(tx, owner.values, id, entries);
    return {
      after: { ...before, ...values },
      isCreated: Object.keys(values).some((name) => !Object.hasOwn(before, name)),
    };
  });
}

/** Sets the value in one system. Returns 201 if anything changed, because existing clients accept no other status for a change. */
export async function setExternalValue<Row extends Versioned, Body>(
  call: AnyCall,
  owner: Owner<Row, Body>,
  id: number,
  { name, text }: { name: string; text: string },
): Promise<Answer<Body>> {
  return change(call, owner, id, async (tx, before) => {
    const system = await getNamedSystem(tx, name);
    return setOne(owner, id, { systemId: system.id, name: system.system_name, text })(tx, before);
  });
}

export const setOne =
  (owner: { values: ExternalValues }, id: number, entry: { systemId: number; name: string; text: string }): Work =>
  async (tx, before) => {
    const { systemId, name, text } = entry;
    await upsertExternalValues(tx, owner.values, id, [{ systemId, text }]);
    return { after: { ...before, [name]: text }, isCreated: before[name] !== text };
  };

export async function removeExternalValue<Row extends Versioned, Body>(
  call: AnyCall,
  owner: Owner<Row, Body>,
  id: number,
  { name, what }: { name: string; what: string },
): Promise<Answer<Body>> {
  return change(call, owner, id, async (tx, before) => {
    const { id: systemId, system_name: system } = await getNamedSystem(tx, name);
    if (!Object.hasOwn(before, system)) throw notFound(`${what} of this ${owner.objectKind} in ${system}`);
    await deleteExternalValue(tx, owner.values, id, systemId);
    const { [system]: _removed, ...after } = before;
    return { after, isCreated: false };
  });
}

/** `isCreated`: whether the response is 201. */
export type Work = (tx: Tx, before: Values) => Promise<{ after: Values; isCreated: boolean }>;

async function change<Row extends Versioned, Body>(
  call: AnyCall,
  owner: Owner<Row, Body>,
  id: number,
  work: Work,
): Promise<Answer<Body>> {
  const changed = await inTransaction(call.database.db, (tx) => changeExternalValues(tx, call, owner, id, work));
  const body = owner.answer(changed.row, changed.after);
  return changed.isCreated ? created(body, changed.version) : ok(body, changed.version);
}

/** Does the work, and records it in the history of the owner if anything changed. */
export async function changeExternalValues<Row extends Versioned>(
  tx: Tx,
  { account, author, requireVersion }: Pick<Call, 'account' | 'author' | 'requireVersion'>,
  owner: Owning<Row>,
  id: number,
  work: Work,
): Promise<{ row: Row; after: Values; isCreated: boolean; version: number }> {
  const row = await owner.lock(tx, account.scope, id);
  requireVersion(row.version);
  const before = await readExternalValues(tx, owner.values, id);
  const { after, isCreated } = await work(tx, before);
  if (isSame(before, after)) return { row, after, isCreated, version: row.version };
  await owner.touch(tx, id);
  const place = { objectKind: owner.objectKind, objectId: id, cohortId: owner.cohortId(row) };
  const { list } = owner.values;
  await recordChange(tx, author, { ...place, before: { [list]: before }, after: { [list]: after } });
  return { row, after, isCreated, version: row.version + 1 };
}

const isSame = (a: Values, b: Values) =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([name, text]) => b[name] === text);

const unknownSystem = (pointer: string, name: string) => referenceNotFound(pointer, `external system "${name}"`);

/** Accepts the object or a string that contains it as JSON, and validates both with the same schema. */
export function externalValuesReader(schema: TSchema, pointer: string): (given: Values | string) => Values {
  const validate = validator(schema, (inner) => pointer + inner);
  return (given) => {
    const values = typeof given === 'string' ? parseJsonText(given, pointer) : given;
    validate(values);
    return normaliseNames(values as Values);
  };
}

function parseJsonText(text: string, pointer: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const detail = `${pointer} does not contain a valid JSON object.`;
    throw new Problem('invalid_request', detail, { faults: [{ pointer, detail }], cause: error });
  }
}

const normaliseNames = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, text]) => [name.normalize('NFC'), text]));
