/** Which experiments, and which of their items, an attention list has. */
import { sql, type RawBuilder } from 'kysely';
import { isAssignedTo, isSnoozed } from '../experiments/follow-ups.ts';
import { experimentsIn, type Scope } from '../scope.ts';

export interface ExperimentFilter {
  cohortId?: number | undefined;
  stateId?: number | undefined;
  assignee?: number | 'nobody' | undefined;
}

export interface ItemFilter {
  /** Without it, all that are not snoozed. */
  only?: 'new' | 'snoozed' | undefined;
  /** What began later is new. Null: nothing is. */
  newSince?: string | null | undefined;
}

const all = sql<boolean>`true`;
const none = sql<boolean>`false`;

/** A condition on `experiments`. */
export const visibleExperiments = (scope: Scope, filter: ExperimentFilter): RawBuilder<boolean> =>
  sql<boolean>`${experimentsIn(scope, filter)}
    and ${filter.stateId === undefined ? all : sql<boolean>`experiments.state_id = ${filter.stateId}`}
    and ${filter.assignee === undefined ? all : isAssignedTo(filter.assignee)}`;

/** When an item began. It is snoozed if its experiment was snoozed later. */
export interface Beginning {
  began: RawBuilder<unknown>;
  /** Absent if it is about no single experiment. */
  since?: RawBuilder<unknown>;
}

export const isNew = ({ newSince }: ItemFilter, { began }: Beginning): RawBuilder<boolean> =>
  newSince == null ? none : sql<boolean>`${began} > ${newSince}::timestamptz`;

export const isPaused = ({ since }: Beginning): RawBuilder<boolean> => (since ? isSnoozed(since) : none);

/** Automatic retries have no beginning: they need no attention, so they are neither new nor snoozed. */
export function isListed(filter: ItemFilter, beginning: Beginning | undefined): RawBuilder<boolean> {
  if (!beginning) return filter.only === undefined ? all : none;
  if (filter.only === 'snoozed') return isPaused(beginning);
  const awake = sql<boolean>`not ${isPaused(beginning)}`;
  return filter.only === 'new' ? sql<boolean>`${isNew(filter, beginning)} and ${awake}` : awake;
}
