/** Replaces the names in a query by ids. A cohort outside the scope is unknown in the same words as one that does not exist. */
import { queries, shortened, nearestName } from '@milepost/api';
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { inScope, type Scope } from '../scope.ts';

type Names = 'state' | 'workflow' | 'cohort' | 'assigned';
type Past = Extract<queries.Condition, { kind: 'moves' | 'runs' }>;

export type Resolved =
  | Exclude<queries.Condition, Past | { kind: 'name' } | { kind: 'text' }>
  | { kind: 'text'; name: 'subject' | 'label'; values: queries.TextPattern[] }
  | { kind: 'name'; name: 'state' | 'workflow' | 'cohort'; ids: number[] }
  | { kind: 'name'; name: 'assigned'; ids: number[]; orNobody: boolean }
  | { kind: 'text'; name: 'external'; systemId: number; values: queries.TextPattern[] }
  /** The name says which states they are. `arrived` and `finished` have none. */
  | { kind: 'moves'; name: Extract<Past, { kind: 'moves' }>['name']; states: number[]; anyOf: queries.Bounds<string>[] }
  /** The cause is undefined for every cause, and null for runs without one. */
  | {
      kind: 'runs';
      name: 'failed' | 'retried';
      callbacks: number[];
      cause: string | null | undefined;
      anyOf: queries.Bounds<string>[];
    };

export interface ResolvedTerm {
  term: queries.Term;
  condition: Resolved;
}

export interface ResolvedQuery {
  terms: ResolvedTerm[];
  /** Words match anywhere in the text. Without it, only its beginning. */
  findsSubstrings: boolean;
}

/** The values that the query names, by kind. */
type Wanted = Record<Names | 'external' | 'callback' | 'cause', string[]>;
interface Known {
  kind: keyof Wanted;
  label: string;
  id: number;
}

export interface Caller {
  id: number;
  scope: Scope;
}

export async function resolveQuery(
  db: Db,
  caller: Caller,
  terms: readonly queries.Term[],
): Promise<ResolvedQuery | { errors: queries.QueryError[] }> {
  const known = await readNames(db, caller.scope, wantedBy(terms));
  const resolved: ResolvedTerm[] = [];
  const unknown: { kind: Reported; place: queries.Place; text: string }[] = [];
  for (const term of terms) {
    const condition = queries.conditionOf(term);
    if ('error' in condition) return { errors: [condition.error] };
    const replaced = replaceNames(condition, known, caller);
    if ('unknown' in replaced) unknown.push({ place: term, ...replaced.unknown });
    else resolved.push({ term, condition: replaced });
  }
  if (unknown.length > 0) return { errors: await Promise.all(unknown.map((one) => errorOf(db, caller.scope, one))) };
  return { terms: resolved, findsSubstrings: (await searchIndex.execute(db)).rows.length > 0 };
}

/** A query with one row if texts have their index. */
export const searchIndex = sql`
  select from pg_index where indisvalid and indexrelid = to_regclass('public.experiment_search_text_index')`;

function wantedBy(terms: readonly queries.Term[]): Wanted {
  const wanted: Wanted = { state: [], workflow: [], cohort: [], assigned: [], external: [], callback: [], cause: [] };
  for (const term of terms) {
    if (term.kind === 'word') continue;
    const { key } = queries.ruleOf(term.name);
    if (key === 'external system') wanted.external.push(term.key);
    else if (key === 'state') wanted.state.push(term.key);
    else if (key === 'callback') {
      wanted.callback.push(term.key);
      wanted.cause.push(...callbackOf(term.key));
    } else if (term.name in wanted) wanted[term.name as Names].push(...term.values.map(({ text }) => text));
  }
  return wanted;
}

async function readNames(db: Db, scope: Scope, wanted: Wanted): Promise<Known[]> {
  const { rows } = await sql<Known>`
    select 'state' as kind, states.label, states.id from states where states.label = any(${wanted.state}::text[])
    union all select 'workflow', workflows.label, workflows.id from workflows where workflows.label = any(${wanted.workflow}::text[])
    union all select 'cohort', cohorts.label, cohorts.id from cohorts
      where cohorts.label = any(${wanted.cohort}::text[]) and ${inScope(scope, 'cohorts.id')}
    union all select 'assigned', users.username, users.id from users where users.username = any(${wanted.assigned}::text[])
    union all select 'external', external_systems.system_name, external_systems.id from external_systems
      where external_systems.system_name = any(${wanted.external}::text[])
    union all select 'callback', callbacks.label, callbacks.id from callbacks where callbacks.label = any(${wanted.callback}::text[])
    union all select 'cause', callbacks.id::text, callbacks.id from callbacks where callbacks.id = any(${wanted.cause}::bigint[])`.execute(
    db,
  );
  return rows;
}

/** The key of a cause is the id of its callback and a hash, or `none`, as in the incidents of failed runs. */
const causePattern = /^([1-9]\d{0,14})-([0-9a-z]+)$/;
const callbackOf = (key: string): string[] => causePattern.exec(key)?.slice(1, 2) ?? [];

/** An unknown username finds nothing, so that names of users cannot be guessed. */
type Reported = Exclude<keyof Wanted, 'assigned' | 'cause'>;
type Unknown = { unknown: { kind: Reported; text: string; place?: queries.Place } };

function replaceNames(condition: queries.Condition, known: readonly Known[], caller: Caller): Resolved | Unknown {
  const idsOf = (kind: keyof Wanted, label: string) =>
    known.flatMap((one) => (one.kind === kind && one.label === label ? [one.id] : []));
  if (condition.kind === 'text') {
    const { name, key, values } = condition;
    if (name !== 'external') return { kind: 'text', name, values };
    const [systemId] = idsOf('external', key);
    return systemId === undefined
      ? { unknown: { kind: 'external', text: key } }
      : { kind: 'text', name, systemId, values };
  }
  if (condition.kind === 'moves') return replaceState(condition, idsOf);
  if (condition.kind === 'runs') return replaceCallback(condition, idsOf);
  if (condition.kind !== 'name') return condition;
  const { name, values } = condition;
  if (name === 'assigned') {
    const users = values.flatMap(({ text }) => (text === 'me' ? [caller.id] : idsOf('assigned', text)));
    return { kind: 'name', name, ids: users, orNobody: values.some(({ text }) => text === 'nobody') };
  }
  const missing = values.find(({ text }) => idsOf(name, text).length === 0);
  if (missing) return { unknown: { kind: name, text: missing.text, place: missing } };
  return { kind: 'name', name, ids: values.flatMap(({ text }) => idsOf(name, text)) };
}

type IdsOf = (kind: keyof Wanted, label: string) => number[];

function replaceState({ key, ...condition }: Extract<Past, { kind: 'moves' }>, idsOf: IdsOf): Resolved | Unknown {
  const states = key === '' ? [] : idsOf('state', key);
  return key !== '' && states.length === 0 ? { unknown: { kind: 'state', text: key } } : { ...condition, states };
}

/** A callback with this label, or else the cause with this key. */
function replaceCallback({ key, ...condition }: Extract<Past, { kind: 'runs' }>, idsOf: IdsOf): Resolved | Unknown {
  const named = idsOf('callback', key);
  if (named.length > 0) return { ...condition, callbacks: named, cause: undefined };
  const [, id = '', cause = ''] = causePattern.exec(key) ?? [];
  const callbacks = idsOf('cause', id);
  return callbacks.length === 0
    ? { unknown: { kind: 'callback', text: key } }
    : { ...condition, callbacks, cause: cause === 'none' ? null : cause };
}

const tables = {
  state: sql`select distinct states.label from states where not states.retired`,
  workflow: sql`select workflows.label from workflows`,
  external: sql`select external_systems.system_name as label from external_systems`,
  callback: sql`select distinct callbacks.label from callbacks where not callbacks.retired`,
};

const mostCompared = 1000;

async function errorOf(
  db: Db,
  scope: Scope,
  { kind, text, place }: { kind: Reported; text: string; place: queries.Place },
): Promise<queries.QueryError> {
  const labels =
    kind === 'cohort' ? sql`select cohorts.label from cohorts where ${inScope(scope, 'cohorts.id')}` : tables[kind];
  const { rows } = await sql<{ label: string }>`${labels} limit ${sql.lit(mostCompared)}`.execute(db);
  const nearest = nearestName(
    text.slice(0, 100),
    rows.map(({ label }) => label),
  );
  return {
    position: place.position,
    length: place.length,
    message: `No ${kind === 'external' ? 'external system' : kind} \`${shortened(text)}\`.`,
    ...(nearest !== undefined && { suggestion: `Did you mean ${shortened(nearest)}?` }),
  };
}
