import type { BodyOf } from '../api/operation-query.ts';

type FollowUp = BodyOf<'assignExperiment'>;

/** An experiment with its follow-up. */
export interface Followed extends Pick<FollowUp, 'assignee' | 'snooze'> {
  experiment: { id: number; label: string };
  cohort: { id: number };
}
