/** The rows of the page: a row for each cause of failed runs, and a row for each other item. */
import { countOf } from '../../ui/numbers.ts';
import type { AttentionGroup, AttentionItem, AttentionKind, RestingState } from './attention-kinds.ts';

/** If it stands for several experiments, `group` has their number, and the item is the one that failed first. */
export type AttentionRow = AttentionItem & { group?: AttentionGroup; exits?: RestingState['exits'] };

/** Two experiments that came to rest in the same microsecond have the same position in the list. */
export const keyOf = ({ id, experiment }: Pick<AttentionItem, 'id' | 'experiment'>): string => `${id} ${experiment.id}`;

/** Decisions with the next states of their state. */
export const withExits = (items: readonly AttentionItem[], states: readonly RestingState[]): AttentionRow[] => {
  const exits = new Map(states.map((resting) => [resting.state.id, resting.exits]));
  return items.map((item) => ({ ...item, ...(item.kind === 'decide' && { exits: exits.get(item.state.id) ?? [] }) }));
};

/** A cause with a single experiment is shown like any other item. */
export const rowOf = (group: AttentionGroup): AttentionRow =>
  group.experiments > 1 ? { ...group.example, group } : group.example;

/** Failed runs are shown by cause. */
export const showsCauses = (kind: AttentionKind | undefined): boolean =>
  kind === undefined || kind === 'failed' || kind === 'timed_out';

/** Automatic retries need no attention, so only their own tab lists them. The API lists them last. */
export function withoutRetries<Row extends Pick<AttentionItem, 'kind'>>(
  rows: readonly Row[],
  kind: AttentionKind | undefined,
): Row[] {
  return kind === 'retrying' ? [...rows] : rows.filter((row) => row.kind !== 'retrying');
}

/** The overview shows this many rows of each state or kind. */
export const inSection = 5;

const maxInGroup = 1000;

/** `28 experiments in 3 cohorts`. */
export function sizeOf({ experiments, cohorts }: AttentionGroup): string {
  const size = experiments >= maxInGroup ? '1,000+ experiments' : countOf(experiments, 'experiment');
  return cohorts === 1 ? size : `${size} in ${countOf(cohorts, 'cohort')}`;
}
