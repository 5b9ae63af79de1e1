/** Items that need attention (docs/decisions/0023). */
import type { AttentionCounts, AttentionItem, attentionOperations } from '@milepost/api';
import type { Static } from 'typebox';
import type { Db } from '../../database/connection.ts';
import { ok, type Call, type Handlers } from '../../http/call.ts';
import { present } from '../../http/field-mask.ts';
import type { Links } from '../../links.ts';
import * as attention from '../../store/screens/attention.ts';
import { readNewSince, noteVisit } from '../../store/screens/attention-visits.ts';
import { listRestingStates, type RestingState } from '../../store/screens/resting-states.ts';
import { noFollowUp, readFollowUps } from '../../store/experiments/follow-ups.ts';
import { countTotals, type Totals } from '../../store/experiments/state-counts.ts';
import { readAttentionItems, type AttentionItem as Item } from '../../store/screens/attention-items.ts';
import { screenPage, type ScreenPage } from '../../store/screens/screen-page.ts';
import type { Scope } from '../../store/scope.ts';
import { requireNamedObjects } from '../named-filters.ts';
import { describeCause } from '../runs/describe-cause.ts';
import { pageOfDecisions, showDecisions, showRestingState } from './decisions.ts';
import { showContext } from './experiment-rows.ts';
import { firstLine, whatFailed } from './what-failed.ts';

const defaultLimit = 100;
const defaultWaitingHours = 24;

export const attentionHandlers: Handlers<typeof attentionOperations> = {
  async listAttention(call) {
    const {
      database: { db },
      account: { scope },
      query,
      links,
      fields,
    } = call;
    const { kind, cause_group: causeGroup } = query;
    const filter = { ...(await readFilter(call, query)), kind };
    const listed = { ...filter, causeGroup };
    const resting = await listRestingStates(db, scope, filter);
    const states = listsDecisions(listed) ? resting.filter((state) => state.kind === 'decide') : [];
    const page = screenPage(query, defaultLimit);
    const { shown, hasMore, rest } = await pageOfDecisions(db, scope, { ...filter, states }, page);
    const others = hasMore ? undefined : await listOthers(db, scope, listed, rest);
    const body = await present(fields, {
      items: async () => {
        const found = await readAttentionItems(db, { scope, ...filter }, others?.ids ?? []);
        return withFollowUps(call, filter, [
          ...(await showDecisions(db, links, shown)),
          ...found.map((item) => showItem(links, item)),
        ]);
      },
      counts: async () =>
        countAll(
          await attention.countAttention(db, scope, filter),
          resting,
          concernsAll(filter) ? await countTotals(db, scope, filter) : undefined,
        ),
      states: resting.flatMap((state) => showRestingState(links, state)),
      new_since: filter.newSince,
    });
    const last = shown.at(-1)?.key;
    return { status: 200, body, next: () => (others ? (others.next() ?? (others.follow ? last : undefined)) : last) };
  },

  async visitAttention({ database: { db }, account }) {
    return ok({ new_since: await noteVisit(db, account.id) });
  },
};

type Query = Static<(typeof attentionOperations)['listAttention']['query']>;
type Shown = Omit<Static<typeof AttentionItem>, 'assignee' | 'snooze' | 'is_new'>;

type ExperimentQuery = Pick<Query, 'cohort_id' | 'state_id' | 'assignee'>;

export const experimentFilter = (
  account: Call['account'],
  { cohort_id: cohortId, state_id: stateId, assignee }: ExperimentQuery,
) => ({ cohortId, stateId, assignee: assigneeOf(account, assignee) });

/** The filters that counts and groups have, too. */
export async function readFilter(
  call: Pick<Call, 'database' | 'account'>,
  query: ExperimentQuery & Pick<Query, 'only' | 'waiting_hours'>,
) {
  const { only, waiting_hours: waitingHours } = query;
  await requireNamedObjects(call, {
    cohort_id: { kind: 'cohort', id: query.cohort_id },
    state_id: { kind: 'state', id: query.state_id },
  });
  return {
    ...experimentFilter(call.account, query),
    only,
    newSince: await readNewSince(call.database.db, call.account.id),
    waitingHours: waitingHours ?? defaultWaitingHours,
  };
}

function assigneeOf({ id }: Call['account'], wanted: string | undefined): number | 'nobody' | undefined {
  if (wanted === undefined || wanted === 'nobody') return wanted;
  return wanted === 'me' ? id : Number(wanted);
}

type Filter = Awaited<ReturnType<typeof readFilter>>;

const concernsAll = ({ stateId, assignee }: Filter) => stateId === undefined && assignee === undefined;

/** One statement for all items of a page. */
export async function withFollowUps(
  { database, account }: Pick<Call, 'database' | 'account'>,
  filter: Filter,
  items: readonly Shown[],
): Promise<Static<typeof AttentionItem>[]> {
  const ids = items.map(({ experiment }) => experiment.id);
  const followUps = await readFollowUps(database.db, account.scope, ids);
  return items.map((item) => ({
    ...item,
    ...((item.queue === null ? followUps.get(item.experiment.id) : undefined) ?? noFollowUp),
    is_new: filter.newSince !== null && Date.parse(beganAt(item, filter)) > Date.parse(filter.newSince),
  }));
}

/** A wait needs attention when it becomes overdue. An automatic retry does not need any. */
function beganAt({ kind, since }: Shown, { waitingHours }: Filter): string {
  if (kind === 'retrying') return new Date(0).toISOString();
  return kind === 'waiting' ? new Date(Date.parse(since) + waitingHours * 3_600_000).toISOString() : since;
}

/** A decision is in no group of causes. */
const listsDecisions = ({ kind, causeGroup = 'none' }: attention.AttentionFilter) =>
  (kind === undefined || kind === 'decide') && causeGroup === 'none';

/** If decisions fill the page, only whether other items follow. */
async function listOthers(
  db: Db,
  scope: Scope,
  filter: attention.AttentionFilter,
  page: ScreenPage & { filled: boolean },
) {
  const isFull = page.limit === 0 && page.filled;
  const found = await attention.listAttentionKeys(db, scope, filter, { ...page, limit: isFull ? 1 : page.limit });
  return isFull ? { ids: [], next: () => undefined, follow: found.ids.length > 0 } : { ...found, follow: false };
}

const sum = (states: readonly RestingState[], of: 'resting' | 'experiments' | 'snoozed' | 'new') =>
  states.reduce((all, state) => all + state[of], 0);
const capped = (count: number) => Math.min(count, attention.maxCounted);
const isExact = (counts: readonly number[]) => counts.every((count) => count < attention.maxCounted);

/** Decisions are of no other kind, so both numbers of experiments add up. `totals` is absent if only some states are counted. */
function countAll(
  { in_open_states: elsewhere, ...others }: attention.AttentionCounts,
  resting: readonly RestingState[],
  totals: Totals | undefined,
): Static<typeof AttentionCounts> {
  const decisions = resting.filter(({ kind }) => kind === 'decide');
  const allResting = sum(resting, 'resting');
  const exact = isExact([...Object.values(others), ...resting.map((state) => state.resting)]);
  return {
    ...others,
    decide: capped(sum(decisions, 'experiments')),
    new: capped(others.new + sum(decisions, 'new')),
    snoozed: capped(others.snoozed + sum(decisions, 'snoozed')),
    experiments: capped(others.experiments + sum(decisions, 'experiments')),
    moving: exact && totals ? Math.max(0, totals.open - allResting - elsewhere) : null,
    total: totals?.total ?? null,
  };
}

export function showItem(links: Links, item: Item): Shown {
  const { queue, experiments, detail } = describeCause({ ...item, execution_id: item.passed_over, waiting: item });
  return {
    id: item.key,
    kind: item.kind,
    since: item.since,
    experiment: links.ref('experiments', { id: item.experiment_id, label: item.experiment_label }),
    ...showContext(links, item),
    state_title: item.state_title ?? item.state_label,
    due_at: null,
    overdue: false,
    scandate: item.scandate,
    queue,
    experiments,
    what: whatHappened({ ...item, detail }),
    ...causeOf(item),
    cause_group: item.cause_group,
    execution_id: item.execution_id,
    incident_id: item.incident_id,
    attempt: item.attempt,
    next_attempt_at: item.next_attempt_at,
  };
}

/** A wait or a blocked experiment has no failed run. */
const causeOf = ({ kind, cause, last_error: error }: Item) =>
  kind === 'waiting' || kind === 'blocked' ? { cause: null, error: null } : { cause, error };

/**
 * One sentence for a coordinator: the cause, or else the detail of the incident. For a wait, the description of
 * the callback.
 */
function whatHappened({ kind, callback, cause, description, detail }: Item): string {
  if (kind === 'blocked' || callback === null) return detail;
  if (kind === 'waiting') return `${callback}: ${firstLine(description ?? '') || 'no report yet'}`;
  return firstLine(cause ?? '') === '' && detail !== '' ? detail : whatFailed(callback, cause);
}
