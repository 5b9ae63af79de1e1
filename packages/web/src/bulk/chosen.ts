/** The experiments of a bulk operation, before the server has found them. */
import type { BodyOf } from '../api/operation-query.ts';
import { count, countOf } from '../ui/numbers.ts';

interface Ref {
  id: number;
  label: string;
}

export interface Chosen {
  of: { experiment_ids: number[] } | { query: string } | { refused_of: number };
  experiments: number;
  /** Whether the number is a minimum. */
  more: boolean;
  /** The states in which they are, as far as they are known. */
  states: readonly { state: Ref; workflow: Ref }[];
  /** Their cohorts, as far as they are known. */
  cohorts: readonly Ref[];
}

type Found = BodyOf<'searchExperiments'>;
type Row = Pick<Found['experiments'][number], 'id' | 'state' | 'workflow' | 'cohort'>;

const unique = <One extends { id: number }>(all: readonly One[]): One[] => [
  ...new Map(all.map((one) => [one.id, one])).values(),
];

export const totalOf = (states: Found['states']): number =>
  states.reduce((sum, { experiments }) => sum + experiments, 0);

export const chosenRows = (rows: readonly Row[]): Chosen => ({
  // In a fixed order, so that the same rows are the same request.
  of: { experiment_ids: rows.map(({ id }) => id).toSorted((a, b) => a - b) },
  experiments: rows.length,
  more: false,
  states: [...new Map(rows.map(({ state, workflow }) => [state.id, { state, workflow }])).values()],
  cohorts: unique(rows.map(({ cohort }) => cohort)),
});

export const chosenByQuery = (
  query: string,
  { states, more }: Pick<Found, 'states' | 'more'>,
  loaded: readonly Row[],
): Chosen => ({
  of: { query },
  experiments: totalOf(states),
  more,
  states,
  cohorts: unique(loaded.map(({ cohort }) => cohort)),
});

/** `1,240 experiments`, `10,000+ experiments`. */
export const chosenText = ({ experiments, more }: Pick<Chosen, 'experiments' | 'more'>): string =>
  more ? `${count(experiments)}+ experiments` : countOf(experiments, 'experiment');
