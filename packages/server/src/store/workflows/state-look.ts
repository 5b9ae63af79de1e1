/** What a workflow file says about a state for the pages. */
import type { Decision, Outcome } from '@milepost/api';
import { sql } from 'kysely';

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
