/** What a workflow file says about a state for the pages. */
import type { Decision, Outcome, StateKind } from '@milepost/api';
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { decides, hasExits } from '../experiments/resting.ts';

/** Null if the file does not set it. */
export interface StateLookRow {
  title: string | null;
  colour: string | null;
  outcome: Outcome | null;
  decision: Decision | null;
}

export const lookColumns = [
  'states.title',
  'states.colour',
  'states.outcome',
  sql<Decision | null>`states.decision`.as('decision'),
] as const;

export interface ShownState {
  id: number;
  workflow_id: number;
  label: string;
  title: string;
  colour: string | null;
  kind: StateKind;
}

/** The states of all workflows. A retired state has no transitions, but is not final. */
export async function listStateLooks(db: Db, limit: number): Promise<ShownState[]> {
  const { rows } = await sql<ShownState>`
    select states.id, states.workflow_id, states.label, coalesce(states.title, states.label) as title, states.colour,
      case when states.retired then 'open' when not ${hasExits} then coalesce(states.outcome, 'neutral')
        when ${decides} then 'decision' else 'open' end as kind
    from states order by states.retired, states.id limit ${limit}`.execute(db);
  return rows;
}
