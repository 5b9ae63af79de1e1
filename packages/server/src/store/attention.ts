/**
 * What needs somebody: open incidents, executions that wait for too long, and those that are tried again. The list has three
 * parts, one behind the other, and the key of an item says which part it is in.
 */
import { attentionKinds, incidentKinds } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database/connection.ts';
import { itsAction, itsExperiment } from './looked-up.ts';
import { readPage, type ScreenPage } from './screen-page.ts';
import { inScope, type Scope } from './scope.ts';

export type AttentionKind = (typeof attentionKinds)[number];
type IncidentKind = (typeof incidentKinds)[number];

export interface AttentionFilter {
  kind?: AttentionKind | undefined;
  cohortId?: number | undefined;
  /** How long a wait may take. */
  waitingHours: number;
}

/** Ids stay below it by far: a million in each second for thirty years. */
const part = 2 ** 50;
const parts = { incident: 0, waiting: part, retrying: 2 * part };

/** What kind of attention an incident needs. */
export const attentionOf: Record<IncidentKind, AttentionKind> = {
  failed: 'failed',
  timed_out: 'timed_out',
  brake: 'blocked',
  unclaimed: 'blocked',
  no_way_on: 'blocked',
};

/** Where rows of one kind of attention are, before anything is said of their order. */
interface Source {
  kind: AttentionKind;
  /** What is added to the ids, to be the keys of this list. */
  part: number;
  id: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
}

/** Kinds and statuses are part of the text, so that each finds its own index of open ones. */
const incidentSource = (kind: IncidentKind): Source => ({
  kind: attentionOf[kind],
  part: parts.incident,
  id: sql`incidents.id`,
  from: sql`incidents ${itsExperiment('incidents.experiment_id')}`,
  where: sql`incidents.closed_at is null and incidents.kind = ${sql.lit(kind)}`,
  order: sql`incidents.kind, incidents.id`,
});

/** Of a latest action only: what was left behind by another move waits for nobody. */
const executionSource = (kind: 'waiting' | 'retrying', status: string, where: RawBuilder<unknown>): Source => ({
  kind,
  part: parts[kind],
  id: sql`one.id`,
  from: sql`callback_executions as one ${itsAction} ${itsExperiment('actions.experiment_id')}`,
  where: sql`one.status = ${sql.lit(status)} and experiments.action_sequence = actions.sequence and ${where}`,
  order: sql`one.status, one.id`,
});

const sources = ({ waitingHours }: AttentionFilter): Source[] => [
  ...incidentKinds.map(incidentSource),
  executionSource('waiting', 'waiting', sql`one.wait_start < now() - ${waitingHours} * interval '1 hour'`),
  executionSource('retrying', 'running', sql`one.failures > 0`),
];

const seen = (scope: Scope, { cohortId }: AttentionFilter) => sql`${inScope(scope, 'experiments.cohort_id')}
  and ${cohortId === undefined ? sql`true` : sql`experiments.cohort_id = ${cohortId}`}`;

/** The keys of a page, each source asked for no more than the page needs. */
export function listAttentionKeys(db: Db, scope: Scope, filter: AttentionFilter, page: ScreenPage) {
  const most = page.limit + page.offset + 1;
  const asked = sources(filter).filter(({ kind }) => filter.kind === undefined || filter.kind === kind);
  const found = asked.map(
    (source) => sql`(
      select ${source.id} + ${sql.lit(source.part)} as id from ${source.from}
      where ${source.where} and ${source.id} > ${Math.max(0, page.after - source.part)} and ${seen(scope, filter)}
      order by ${source.order} limit ${most})`,
  );
  const from = sql`(${sql.join(found, sql` union all `)}) as found`;
  return readPage(db, { from, where: sql`true`, key: sql`found.id`, order: sql`found.id` }, page);
}

/** What a key stands for. */
export const itemOf = (key: number): { kind: 'incident' | 'waiting' | 'retrying'; id: number } => ({
  kind: key < parts.waiting ? 'incident' : key < parts.retrying ? 'waiting' : 'retrying',
  id: key % part,
});

/** Further than this nothing is counted: who has so much to look after does not need to know it exactly. */
export const mostCounted = 10_000;

export type AttentionCounts = Record<AttentionKind | 'experiments', number>;

/** One statement; of each source no more is read than is counted. */
export async function countAttention(db: Db, scope: Scope, filter: AttentionFilter): Promise<AttentionCounts> {
  const found = sources(filter).map(
    ({ kind, from, where }) => sql`(
      select ${sql.lit(kind)} as kind, experiments.id as experiment_id from ${from}
      where ${where} and ${seen(scope, filter)} limit ${sql.lit(mostCounted)})`,
  );
  const counted = attentionKinds.map(
    (kind) =>
      sql`least(count(*) filter (where found.kind = ${sql.lit(kind)}), ${sql.lit(mostCounted)}) as ${sql.ref(kind)}`,
  );
  const { rows } = await sql<AttentionCounts>`
    select ${sql.join(counted)},
      least(count(distinct found.experiment_id) filter (where found.kind <> 'retrying'), ${sql.lit(mostCounted)}) as experiments
    from (${sql.join(found, sql` union all `)}) as found`.execute(db);
  return rows[0] ?? { failed: 0, timed_out: 0, waiting: 0, blocked: 0, retrying: 0, experiments: 0 };
}
