/**
 * Items that need attention: open incidents of experiments and queues, executions that have waited too long, and executions that are being retried. The list
 * has these three parts in this order, and the key of an item tells its part.
 */
import { attentionKinds, incidentKinds } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { joinAction, joinExperiment } from '../lateral-joins.ts';
import { noKeys, readPage, type PageOfKeys, type ScreenPage } from './screen-page.ts';
import { hasExits } from '../experiments/resting.ts';
import { ownWaiting } from '../runs/queue-incidents.ts';
import type { Scope } from '../scope.ts';
import { isListed, isNew, isPaused, visibleExperiments } from './attention-filter.ts';
import type { Beginning, ExperimentFilter, ItemFilter } from './attention-filter.ts';
import { partSize } from './decisions.ts';

export type AttentionKind = (typeof attentionKinds)[number];
type IncidentKind = (typeof incidentKinds)[number];

export interface AttentionFilter extends ExperimentFilter, ItemFilter {
  kind?: AttentionKind | undefined;
  /** Only the incidents of this group of causes. `none`: only items outside of groups. */
  causeGroup?: string | undefined;
  /** Executions that have waited longer need attention. */
  waitingHours: number;
}

/** Larger than any id: a million ids per second for thirty years. */
const part = partSize;
/** Decisions come first and have two parts (decisions.ts). */
const parts = { incident: 2 * part, waiting: 3 * part, retrying: 4 * part };

/** The attention kind of each incident kind. */
export const attentionOf: Record<IncidentKind, AttentionKind> = {
  failed: 'failed',
  timed_out: 'timed_out',
  brake: 'blocked',
  unclaimed: 'blocked',
  no_way_on: 'blocked',
};

/** The query parts for one kind of attention. */
interface Source {
  kind: AttentionKind;
  /** Added to the ids to get the keys of the list. */
  part: number;
  id: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
  /** The experiment, if the item is about one. */
  experiment: RawBuilder<unknown>;
  /** Its state. */
  state: RawBuilder<unknown>;
  /** The number of other experiments that the item is about. */
  more: RawBuilder<unknown>;
  /** Absent for automatic retries, which need no attention. */
  beginning?: Beginning;
}

const ofExperiment = { experiment: sql`experiments.id`, state: sql`experiments.state_id`, more: sql`0` };

const openedAt = sql`incidents.opened_at`;

/** Kinds and statuses are literals, so that partial indexes apply. */
const incidentSource = (kind: IncidentKind, visible: RawBuilder<unknown>): Source => ({
  ...ofExperiment,
  kind: attentionOf[kind],
  part: parts.incident,
  id: sql`incidents.id`,
  from: sql`incidents ${joinExperiment('incidents.experiment_id')}`,
  where: sql`incidents.closed_at is null and incidents.kind = ${sql.lit(kind)} and ${visible}`,
  order: sql`incidents.kind, incidents.id`,
  beginning: { began: openedAt, since: openedAt },
});

/** One item for all experiments that wait in a queue. */
const queueSource = (scope: Scope, { cohortId }: AttentionFilter): Source => ({
  kind: attentionOf.unclaimed,
  part: parts.incident,
  id: sql`incidents.id`,
  from: sql`incidents cross join lateral (${ownWaiting(scope, cohortId)}) as waiting`,
  where: sql`incidents.closed_at is null and incidents.kind = 'unclaimed' and incidents.queue is not null`,
  order: sql`incidents.kind, incidents.id`,
  experiment: sql`null::bigint`,
  state: sql`null::bigint`,
  more: sql`waiting.experiments`,
  beginning: { began: openedAt },
});

/** Only executions of the latest action. Those of superseded actions need no attention. */
const executionSource = (kind: 'waiting' | 'retrying', status: string, where: RawBuilder<unknown>): Source => ({
  ...ofExperiment,
  kind,
  part: parts[kind],
  id: sql`one.id`,
  from: sql`callback_executions as one ${joinAction} ${joinExperiment('actions.experiment_id')}`,
  where: sql`one.status = ${sql.lit(status)} and experiments.action_sequence = actions.sequence and ${where}`,
  order: sql`one.status, one.id`,
});

/** Failed runs have a group, except those of the release before groups. Each kind of condition has its index. */
const groupSource = (kind: 'failed' | 'timed_out', causeGroup: string, visible: RawBuilder<unknown>): Source => ({
  ...incidentSource(kind, visible),
  where: sql`incidents.closed_at is null and incidents.cause_group = ${causeGroup}
    and incidents.kind = ${sql.lit(kind)} and ${visible}`,
  order: sql`incidents.cause_group, incidents.id`,
});

const groupedKinds = ['failed', 'timed_out'] as const;

const outsideGroups = (kind: IncidentKind) =>
  kind === 'failed' || kind === 'timed_out' ? sql`incidents.cause_group is null` : sql`true`;

/** An incident of a queue is about the runs of many states and assignees. */
const concernsQueues = ({ stateId, assignee }: ExperimentFilter) => stateId === undefined && assignee === undefined;

function sources(scope: Scope, filter: AttentionFilter): Source[] {
  const visible = visibleExperiments(scope, filter);
  const { causeGroup } = filter;
  if (causeGroup !== undefined && causeGroup !== 'none')
    return groupedKinds.map((kind) => groupSource(kind, causeGroup, visible));
  const listed = (kind: IncidentKind) =>
    causeGroup === undefined ? visible : sql`${visible} and ${outsideGroups(kind)}`;
  const limit = sql`${filter.waitingHours} * interval '1 hour'`;
  const overdue = sql`one.wait_start < now() - ${limit}`;
  const waitBeginning = { began: sql`(one.wait_start + ${limit})`, since: sql`one.wait_start` };
  return [
    ...incidentKinds.filter((kind) => kind !== 'unclaimed').map((kind) => incidentSource(kind, listed(kind))),
    ...(concernsQueues(filter) ? [queueSource(scope, filter)] : []),
    { ...executionSource('waiting', 'waiting', sql`${overdue} and ${visible}`), beginning: waitBeginning },
    executionSource(
      'retrying',
      'running',
      sql`one.failures > 0 and ${visible} and not exists (
      select from callback_executions as other where other.action_id = one.action_id and other.status = 'waiting'
        and other.wait_start < now() - ${limit})`,
    ),
  ];
}

/** Reads the keys of a page without decisions. Each source reads at most the rows that the page needs. */
export function listAttentionKeys(
  db: Db,
  scope: Scope,
  filter: AttentionFilter,
  page: ScreenPage,
): Promise<PageOfKeys> {
  const limit = page.limit + page.offset + 1;
  if (filter.kind === 'decide') return Promise.resolve(noKeys);
  const selected = sources(scope, filter).filter(({ kind }) => filter.kind === undefined || filter.kind === kind);
  if (selected.length === 0) return Promise.resolve(noKeys);
  const found = selected.map(
    (source) => sql`(
      select ${source.id} + ${sql.lit(source.part)} as id from ${source.from}
      where ${source.where} and ${isListed(filter, source.beginning)}
        and ${source.id} > ${Math.max(0, page.after - source.part)}
      order by ${source.order} limit ${limit})`,
  );
  const from = sql`(${sql.join(found, sql` union all `)}) as found`;
  return readPage(db, { from, where: sql`true`, key: sql`found.id`, order: sql`found.id` }, page);
}

/** The key of an incident in the list. */
export const keyOfIncident = (id: number): number => parts.incident + id;

/** The item that a key refers to. */
export const itemOf = (key: number): { kind: 'incident' | 'waiting' | 'retrying'; id: number } => ({
  kind: key < parts.waiting ? 'incident' : key < parts.retrying ? 'waiting' : 'retrying',
  id: key % part,
});

/** Counts stop here. Exact numbers above it are of no use. */
export const maxCounted = 10_000;

export interface AttentionCounts extends Record<Exclude<AttentionKind, 'decide'>, number> {
  experiments: number;
  new: number;
  snoozed: number;
  /** Experiments in states that are not final, also snoozed ones. */
  in_open_states: number;
}

/**
 * All kinds but decisions. One statement. Reads at most `maxCounted` rows of each source, so a kind with that many rows has that
 * count, even if some are snoozed. Reads the latest ones, because only these can be new.
 */
export async function countAttention(db: Db, scope: Scope, filter: AttentionFilter): Promise<AttentionCounts> {
  const found = sources(scope, filter).map(
    ({ kind, from, where, experiment, more, state, beginning, id }) => sql`(
      select ${sql.lit(kind)} as kind, ${experiment} as experiment_id, ${more} as more, ${state} as state_id,
        ${beginning ? isNew(filter, beginning) : sql`false`} as new, ${beginning ? isPaused(beginning) : sql`false`} as snoozed
      from ${from} where ${where} order by ${id} desc limit ${sql.lit(maxCounted)})`,
  );
  const counted = attentionKinds.filter((kind) => kind !== 'decide').map(countOfKind);
  const { rows } = await sql<AttentionCounts>`
    select ${sql.join(counted)},
      ${capped(sql`count(distinct found.experiment_id) filter (where found.kind <> 'retrying' and not found.snoozed)
        + coalesce(sum(found.more), 0)`)} as experiments,
      ${capped(sql`count(*) filter (where found.new and not found.snoozed)`)} as new,
      ${capped(sql`count(distinct found.experiment_id) filter (where found.snoozed)`)} as snoozed,
      count(distinct found.experiment_id) filter (where found.kind <> 'retrying' and exists (
        select from states where states.id = found.state_id and ${hasExits})) + coalesce(sum(found.more), 0)::bigint as in_open_states
    from (${sql.join(found, sql` union all `)}) as found`.execute(db);
  return rows[0] ?? nothing;
}

const nothing = {
  failed: 0,
  timed_out: 0,
  waiting: 0,
  blocked: 0,
  retrying: 0,
  experiments: 0,
  new: 0,
  snoozed: 0,
  in_open_states: 0,
};

const capped = (count: RawBuilder<unknown>) => sql`least(${count}, ${sql.lit(maxCounted)})::integer`;

function countOfKind(kind: AttentionKind) {
  const ofKind = sql`found.kind = ${sql.lit(kind)}`;
  return sql`case when count(*) filter (where ${ofKind}) >= ${sql.lit(maxCounted)} then ${sql.lit(maxCounted)}
    else count(*) filter (where ${ofKind} and not found.snoozed) end as ${sql.ref(kind)}`;
}
