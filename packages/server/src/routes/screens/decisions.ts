/** Decisions in the attention list: their page, their counts, and one sentence for each. */
import type { AttentionItem, Decision, RestingState as ShownState } from '@milepost/api';
import type { Static } from 'typebox';
import type { Db } from '../../database/connection.ts';
import type { Links } from '../../links.ts';
import type { Scope } from '../../store/scope.ts';
import { listDecisionKeys, partSize, type DecisionKey } from '../../store/screens/decisions.ts';
import type { ExperimentFilter, ItemFilter } from '../../store/screens/attention-filter.ts';
import type { RestingState } from '../../store/screens/resting-states.ts';
import { readDecisionItems, type DecisionItem } from '../../store/screens/decision-items.ts';
import type { ScreenPage } from '../../store/screens/screen-page.ts';
import { showContext } from './experiment-rows.ts';
import { whatFailed } from './what-failed.ts';

interface DecisionFilter extends ExperimentFilter, ItemFilter {
  /** Those with decisions. */
  states: readonly RestingState[];
}

/** A page of decisions, whether more of them follow, and the part of the page that is left for other items. */
export async function pageOfDecisions(db: Db, scope: Scope, filter: DecisionFilter, page: ScreenPage) {
  const found = await listDecisionKeys(db, scope, filter, page);
  const shown = withoutCutTie(found, page.limit);
  const total = filter.states.reduce((sum, state) => sum + listedIn(filter, state), 0);
  const rest = {
    limit: Math.max(0, page.limit - shown.length),
    filled: shown.length > 0,
    offset: page.after >= 2 * partSize ? page.offset : Math.max(0, page.offset - total),
    after: Math.max(page.after, 2 * partSize),
  };
  // The next page tells what follows a page with more than its limit.
  return { shown, hasMore: found.length > page.limit, rest };
}

function listedIn({ only }: ItemFilter, state: RestingState): number {
  if (only === undefined) return state.experiments;
  return only === 'new' ? state.new : state.snoozed;
}

/**
 * The key does not tell experiments apart that came to rest in the same microsecond, so a page does not end between them. If they are
 * more than its limit, the page has them all.
 */
function withoutCutTie(found: readonly DecisionKey[], limit: number): readonly DecisionKey[] {
  const next = found[limit];
  if (!next) return found;
  const whole = found.filter(({ key }) => key < next.key);
  return whole.length > 0 ? whole : found;
}

export async function showDecisions(db: Db, links: Links, keys: readonly DecisionKey[]) {
  const items = await readDecisionItems(
    db,
    keys.map(({ experimentId }) => experimentId),
  );
  return keys.flatMap(({ key, experimentId }) => {
    const item = items.get(experimentId);
    return item ? [showDecision(links, key, item)] : [];
  });
}

const showDecision = (
  links: Links,
  key: number,
  item: DecisionItem,
): Omit<Static<typeof AttentionItem>, 'assignee' | 'snooze' | 'is_new'> => ({
  id: key,
  kind: 'decide',
  since: item.since,
  experiment: links.ref('experiments', { id: item.experiment_id, label: item.experiment_label }),
  ...showContext(links, item),
  state_title: item.state_title ?? item.state_label,
  due_at: item.due_at,
  overdue: item.overdue,
  scandate: item.scandate,
  queue: null,
  experiments: 1,
  ...summaryOf(item),
  cause_group: null,
  execution_id: item.execution_id,
  incident_id: null,
  next_attempt_at: null,
});

/** The details of the failed run are left out if the summary is not about it. */
function summaryOf(item: DecisionItem) {
  const values = describeValues(item.decision, item.variables);
  const failure = values === '' ? describeFailure(item) : '';
  if (failure === '') return { what: values || item.freetext, cause: null, error: null, attempt: null };
  return { what: failure, cause: item.cause, error: item.last_error, attempt: item.attempt };
}

const describeFailure = ({ callback, cause }: DecisionItem): string =>
  callback === null ? '' : whatFailed(callback, cause);

type Shown = Decision['show'][number];

/** The values outside their limits, or else all values. */
export function describeValues(decision: Decision | null, variables: Record<string, unknown>): string {
  const known = (decision?.show ?? []).flatMap((shown) => {
    const value = variables[shown.variable];
    return value === undefined || value === null || typeof value === 'object' ? [] : [{ shown, value }];
  });
  const outside = known.filter(({ shown, value }) => typeof value === 'number' && limitOf(shown, value) !== '');
  return (outside.length > 0 ? outside : known).map(({ shown, value }) => sentence(shown, value)).join(' ');
}

const withUnit = ({ unit }: Shown, value: unknown) => (unit === null ? String(value) : `${String(value)} ${unit}`);

const sentence = (shown: Shown, value: unknown) =>
  `${shown.title} is ${withUnit(shown, value)}.${typeof value === 'number' ? limitOf(shown, value) : ''}`;

function limitOf(shown: Shown, value: number): string {
  if (shown.max !== null && value > shown.max) return ` The limit is ${withUnit(shown, shown.max)}.`;
  return shown.min !== null && value < shown.min ? ` The minimum is ${withUnit(shown, shown.min)}.` : '';
}

export const showRestingState = (links: Links, state: RestingState): Static<typeof ShownState>[] =>
  state.kind === 'settled' || (state.kind === 'decide' && state.since === null)
    ? []
    : [
        {
          state: links.ref('states', state),
          workflow: links.ref('workflows', { id: state.workflow_id, label: state.workflow_label }),
          title: state.title ?? state.label,
          freetext: state.freetext,
          kind: state.kind,
          exits: state.exits.map((exit) => ({
            transition_id: exit.id,
            title: exit.title,
            destination: links.ref('states', exit.state),
          })),
          experiments: state.kind === 'decide' ? state.experiments : state.resting,
          overdue: state.overdue,
          since: state.since ?? state.first,
        },
      ];
