/**
 * The experiments of a cohort or workflow by state. Parts of statements that read the counts that moves and triggers keep
 * (docs/decisions/0049), so their cost does not depend on the number of experiments.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Outcome } from '@milepost/api';
import { hasExits } from '../experiments/resting.ts';
import type { Within } from './needing-attention.ts';

export interface StateNumbers {
  id: number;
  label: string;
  /** Null if the state is not final. */
  outcome: Outcome | null;
  title: string;
  experiments: number;
  attention: number;
}

export interface Numbers {
  id: number;
  last_activity: string | null;
  states: StateNumbers[];
}

type Owner = 'cohort_id' | 'workflow_id';

/** Deltas are a few seconds old. Experiments that need attention are grouped once, not searched for each state. */
export const inStates = (owner: Owner, within: Within): RawBuilder<unknown> => sql`in_states as (
  select ${owner === 'cohort_id' ? sql`parts.cohort_id` : sql`states.workflow_id`} as owner_id, parts.state_id,
    sum(parts.experiments)::bigint as experiments, max(parts.changed_at) as changed_at from (
    select state_counts.cohort_id, state_counts.state_id, state_counts.experiments, state_counts.changed_at from state_counts
    where ${within('state_counts')}
    union all
    select deltas.cohort_id, deltas.state_id, deltas.experiments, now() from state_count_deltas as deltas
    where ${within('deltas')}
  ) as parts join states on states.id = parts.state_id group by 1, parts.state_id
), needing_in_states as (
  select ${sql.ref(`needing.${owner}`)} as owner_id, needing.state_id, count(*) as experiments from needing group by 1, 2)`;

/** A retired state has no transitions, but is not final. */
const finalOutcome = sql`case when not states.retired and not ${hasExits} then coalesce(states.outcome, 'neutral') end`;

/** The columns of a row `page`, which is a cohort or workflow. */
export const numbers = sql`
  (select max(in_states.changed_at) from in_states where in_states.owner_id = page.id)::timestamptz(3) as last_activity,
  coalesce((
    select json_agg(json_build_object('id', states.id, 'label', states.label, 'outcome', ${finalOutcome}, 'title', coalesce(states.title, states.label),
      'experiments', in_states.experiments, 'attention', coalesce(needing_in_states.experiments, 0)) order by states.position, states.id)
    from in_states join states on states.id = in_states.state_id
    left join needing_in_states on needing_in_states.owner_id = in_states.owner_id and needing_in_states.state_id = in_states.state_id
    where in_states.owner_id = page.id and in_states.experiments > 0), '[]') as states`;
