/**
 * Searches the history, several hundred million entries, newest first. A page walks along one index, the narrowest that the
 * filters name, looks at 10,000 entries at most, and keeps those that fit: so it costs the same however rare they are, and says
 * where it stopped (docs/decisions/0028).
 */
import type { auditedKinds } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database/connection.ts';
import { momentsOf, type Moments, type Walk } from './audit-moments.ts';
import type { PageOfKeys } from './screen-page.ts';
import type { Scope } from './scope.ts';

export type AuditedKind = (typeof auditedKinds)[number];

export interface AuditFilter {
  actor?: number;
  object_kind?: AuditedKind;
  object_id?: number;
  operation?: string;
  experiment_id?: number;
  subject_id?: number;
  cohort_id?: number;
  from?: string;
  to?: string;
}

export interface AuditPage {
  /** Behind the entry with this id. */
  before: number;
  limit: number;
  /** How many entries a page may look at. */
  looks: number;
}

interface Chain {
  chain: string;
  chain_id: number;
}

const commonChains: Partial<Record<AuditedKind, string>> = {
  user: 'users',
  role: 'roles',
  workflow: 'workflows',
  callback: 'workflows',
  external_system: 'settings',
  scantype: 'settings',
};

export async function listAuditIds(db: Db, scope: Scope, filter: AuditFilter, page: AuditPage): Promise<PageOfKeys> {
  if (page.limit === 0) return { ids: [], next: () => undefined };
  const chain = await findChain(db, filter);
  const walk = chain ? alongChain(chain) : alongIds(filter);
  const moments = await momentsOf(db, chain ? walk : everything, filter);
  const behind = chain ? await positionIn(db, chain, page.before) : { position: page.before };
  const bounds = { ...moments, below: Math.min(moments.below, behind.position) };
  const fits = sql`${ofFilter(filter)} and ${seenIn(scope)}${behind.beyond ?? sql``}`;
  return readKeys(db, within(walk, bounds), { ...page, fits });
}

const everything: Walk = { where: sql`true`, by: 'id' };

/** Undefined where the entries that are asked for lie in no chain of their own, or in too long a one. */
async function findChain(db: Db, filter: AuditFilter): Promise<Chain | undefined> {
  const { experiment_id, subject_id, cohort_id, object_kind, object_id } = filter;
  if (experiment_id !== undefined) return { chain: 'experiment', chain_id: experiment_id };
  if (subject_id !== undefined) return { chain: 'subject', chain_id: subject_id };
  if (cohort_id !== undefined) return { chain: 'cohort', chain_id: cohort_id };
  const common = object_kind && commonChains[object_kind];
  if (object_id === undefined) return common === undefined ? undefined : { chain: common, chain_id: 0 };
  return common === undefined && object_kind ? chainOfObject(db, object_kind, object_id) : undefined;
}

async function chainOfObject(db: Db, kind: AuditedKind, id: number): Promise<Chain> {
  if (kind === 'experiment' || kind === 'subject' || kind === 'cohort') return { chain: kind, chain_id: id };
  const { rows } = await sql<{ chain: string; chain_id: number | null }>`
    select chain, chain_id from history_chain_of(${kind}, ${id}::bigint)`.execute(db);
  // What is not there has no entries: no chain has the id 0 but those that are common to all.
  return { chain: 'experiment', chain_id: rows[0]?.chain_id ?? 0 };
}

const alongChain = ({ chain, chain_id }: Chain): Walk => ({
  where: sql`history.chain = ${chain} and history.chain_id = ${chain_id}`,
  by: 'sequence',
});

function alongIds({ actor, object_kind, object_id }: AuditFilter): Walk {
  if (object_kind !== undefined && object_id !== undefined) {
    const where = sql`history.chain in ('users', 'roles', 'workflows', 'settings') and history.object_kind = ${object_kind}
      and history.object_id = ${object_id}`;
    return { where, by: 'id' };
  }
  if (actor === undefined) return everything;
  return { where: sql`history.actor_kind = 'user' and history.actor_id = ${actor}`, by: 'id' };
}

const first = Number.MAX_SAFE_INTEGER;

/**
 * Where an entry stands in its chain. The order of ids is not quite that of a chain: they are given before the writers take
 * turns. An id that is not in the chain is only compared.
 */
async function positionIn(db: Db, { chain, chain_id }: Chain, before: number) {
  if (before === first) return { position: first };
  const { rows } = await sql<{ sequence: number }>`
    select history.sequence from history
    where history.id = ${before} and history.chain = ${chain} and history.chain_id = ${chain_id}`.execute(db);
  const sequence = rows[0]?.sequence;
  return sequence === undefined ? { position: first, beyond: sql` and looked.id < ${before}` } : { position: sequence };
}

const within = ({ where, by }: Walk, { from, below }: Moments): Walk => {
  const key = sql.ref(`history.${by}`);
  return { where: sql`${where} and ${key} >= ${from}::bigint and ${key} < ${below}::bigint`, by };
};

const inChain = (chain: string, id: number) => sql`looked.chain = ${chain} and looked.chain_id = ${id}`;

function ofFilter(filter: AuditFilter): RawBuilder<unknown> {
  const conditions = [
    filter.actor !== undefined && sql`looked.actor_kind = 'user' and looked.actor_id = ${filter.actor}`,
    filter.object_kind !== undefined && sql`looked.object_kind = ${filter.object_kind}`,
    filter.object_id !== undefined && sql`looked.object_id = ${filter.object_id}`,
    filter.operation !== undefined && sql`looked.operation = ${filter.operation}`,
    filter.experiment_id !== undefined && inChain('experiment', filter.experiment_id),
    filter.subject_id !== undefined && inChain('subject', filter.subject_id),
    filter.cohort_id !== undefined && inChain('cohort', filter.cohort_id),
    filter.from !== undefined && sql`looked.at >= ${filter.from}::timestamptz`,
    filter.to !== undefined && sql`looked.at < ${filter.to}::timestamptz`,
  ].filter((condition) => condition !== false);
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** What belongs to no cohort is for those who may see everything. */
const seenIn = (scope: Scope): RawBuilder<unknown> =>
  scope.kind === 'all'
    ? sql`true`
    : sql`case looked.chain
        when 'experiment' then (select experiments.cohort_id from experiments where experiments.id = looked.chain_id)
        when 'subject' then (select subjects.cohort_id from subjects where subjects.id = looked.chain_id)
        when 'cohort' then looked.chain_id
      end = any(${[...scope.ids]}::bigint[])`;

interface Fitting extends AuditPage {
  fits: RawBuilder<unknown>;
}

/**
 * The look ends when the page is full; where it stopped is only asked for if it never was. Both are one statement, so that what
 * is written meanwhile cannot come between them.
 */
async function readKeys(db: Db, { where, by }: Walk, { fits, limit, looks }: Fitting): Promise<PageOfKeys> {
  const order = sql`order by ${sql.ref(`history.${by}`)} desc`;
  const { rows } = await sql<{ ids: number[]; stopped_at: number | null }>`
    with fitting as materialized (
      select looked.id from (
        select history.id, history.at, history.actor_kind, history.actor_id, history.operation, history.object_kind,
          history.object_id, history.chain, history.chain_id
        from history where ${where} ${order} limit ${looks}) as looked
      where ${fits} limit ${limit + 1})
    select array(select fitting.id from fitting) as ids, case when (select count(*) from fitting) <= ${limit} then (
      select history.id from history where ${where} ${order} offset ${looks - 1} limit 1) end as stopped_at`.execute(
    db,
  );
  const { ids, stopped_at: stoppedAt } = rows[0] ?? { ids: [], stopped_at: null };
  const shown = ids.slice(0, limit).map(Number);
  return { ids: shown, next: () => (ids.length > limit ? shown.at(-1) : (stoppedAt ?? undefined)) };
}
