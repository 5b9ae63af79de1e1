/** Items that need attention (docs/decisions/0023). */
import type { AttentionCounts, AttentionItem, attentionOperations } from '@milepost/api';
import type { Static } from 'typebox';
import type { Db } from '../../database/connection.ts';
import type { Handlers } from '../../http/call.ts';
import { present } from '../../http/field-mask.ts';
import type { Links } from '../../links.ts';
import * as attention from '../../store/screens/attention.ts';
import { listRestingStates, type RestingState } from '../../store/screens/decisions.ts';
import { countTotals, type Totals } from '../../store/experiments/state-counts.ts';
import { readAttentionItems, type AttentionItem as Item } from '../../store/screens/attention-items.ts';
import { screenPage, type ScreenPage } from '../../store/screens/screen-page.ts';
import type { Scope } from '../../store/scope.ts';
import { requireNamedObjects } from '../named-filters.ts';
import { describeCause } from '../runs/describe-cause.ts';
import { pageOfDecisions, showDecisions, showRestingState } from './decisions.ts';
import { showContext } from './experiment-rows.ts';

const defaultLimit = 100;
const defaultWaitingHours = 24;

export const attentionHandlers: Handlers<typeof attentionOperations> = {
  async listAttention(call) {
    const {
      database: { db },
      account,
      query,
      links,
      fields,
    } = call;
    const {
      kind,
      cohort_id: cohortId,
      waiting_hours: waitingHours = defaultWaitingHours,
      cause_group,
      ...page
    } = query;
    const { scope } = account;
    const filter = { kind, cohortId, waitingHours };
    const listed = { ...filter, causeGroup: cause_group };
    await requireNamedObjects(call, { cohort_id: { kind: 'cohort', id: cohortId } });
    const resting = await listRestingStates(db, scope, filter);
    const states = listsDecisions(listed) ? resting.filter((state) => state.kind === 'decide') : [];
    const { shown, hasMore, rest } = await pageOfDecisions(
      db,
      scope,
      { cohortId, states },
      screenPage(page, defaultLimit),
    );
    const others = hasMore ? undefined : await listOthers(db, scope, listed, rest);
    const body = await present(fields, {
      items: async () => {
        const items = await readAttentionItems(db, { scope, cohortId }, others?.ids ?? []);
        return [...(await showDecisions(db, links, shown)), ...items.map((item) => showItem(links, item))];
      },
      counts: async () =>
        countAll(await attention.countAttention(db, scope, filter), resting, await countTotals(db, scope, filter)),
      states: resting.flatMap((state) => showRestingState(links, state)),
    });
    const last = shown.at(-1)?.key;
    return { status: 200, body, next: () => (others ? (others.next() ?? (others.follow ? last : undefined)) : last) };
  },
};

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

const sum = (states: readonly RestingState[]) => states.reduce((all, state) => all + state.experiments, 0);
const capped = (count: number) => Math.min(count, attention.maxCounted);

/** Decisions are of no other kind, so both numbers of experiments add up. */
function countAll(
  { in_open_states: elsewhere, experiments, ...others }: attention.AttentionCounts,
  resting: readonly RestingState[],
  { total, open }: Totals,
): Static<typeof AttentionCounts> {
  const decide = sum(resting.filter(({ kind }) => kind === 'decide'));
  const isExact = Object.values({ ...others, experiments }).every((count) => count < attention.maxCounted);
  return {
    ...others,
    decide: capped(decide),
    experiments: capped(experiments + decide),
    moving: isExact ? Math.max(0, open - sum(resting) - elsewhere) : null,
    total,
  };
}

export function showItem(links: Links, item: Item): Static<typeof AttentionItem> {
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
  const message = firstLine(cause ?? '');
  return message === '' ? detail || `${callback}: no reason given` : `${callback}: ${message}`;
}

const maxLength = 300;

/** An error can include a stack trace. */
function firstLine(text: string): string {
  const [line = ''] = text.trim().split(/\r?\n/, 1);
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}
