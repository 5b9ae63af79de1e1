/** The states with experiments in progress. */
import type { NamedState } from '../../status/state-looks.ts';
import type { Flow } from './flow-series.ts';
import type { StayRow } from './stay-rows.ts';

export interface BacklogRow {
  state: NamedState;
  experiments: number;
  /** When the oldest experiment entered the state. */
  since: string;
  /** The experiments at the end of each week. */
  values: readonly number[];
}

/** In the order of the workflow. */
export const backlogRows = (stays: readonly StayRow[], { inProgress, weeks }: Flow): BacklogRow[] =>
  stays.flatMap(({ state, experiments, oldest_entered_at: since }) => {
    const values = inProgress.find((one) => one.state.id === state.id)?.values ?? weeks.map(() => 0);
    return since === null ? [] : [{ state, experiments, since, values }];
  });

export const oldestOf = (rows: readonly BacklogRow[]): BacklogRow | undefined =>
  rows.toSorted((one, other) => Date.parse(one.since) - Date.parse(other.since))[0];
