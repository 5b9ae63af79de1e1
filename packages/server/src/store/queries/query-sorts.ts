/** The orders of found experiments. Each has a key of a few bytes, and ids order equal keys. */
import type { searchSorts } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import { byAction, isEntry, isLatest } from './walk-actions.ts';
import { byId } from './walk-ids.ts';
import {
  byLabel,
  byScanDate,
  byState,
  bySubject,
  label,
  noDate,
  stateKey,
  type Walk,
  type WalkRequest,
} from './walks.ts';

export type SortName = (typeof searchSorts)[number];
export type { Cursor } from './walks.ts';

export interface Sort {
  type: 'bigint' | 'text' | 'timestamp';
  key: (isDescending: boolean) => RawBuilder<unknown>;
  /** Whether the key is in another table. */
  needsLookup: boolean;
  /** The longest time in a state belongs to the smallest key. */
  isReversed?: true;
  /** Reads an index in this order from any key, so that nothing is sorted. */
  walk?: (request: WalkRequest) => Walk;
}

const latestAction = sql`coalesce((select actions.id from actions
  where actions.experiment_id = experiments.id and actions.sequence = experiments.action_sequence), 0)`;
const entryAction = sql`coalesce((select actions.id from actions
  where actions.experiment_id = experiments.id and actions.retry_of is null order by actions.sequence desc limit 1), 0)`;

const labelOf = (table: string, column: string) => () =>
  sql`(select ${sql.ref(`${table}.label`)} from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = ${sql.ref(column)})`;

export const sorts: Record<SortName, Sort> = {
  id: { type: 'bigint', key: () => sql`experiments.id`, needsLookup: false, walk: byId },
  label: { type: 'text', key: () => label, needsLookup: false, walk: byLabel },
  subject: {
    type: 'text',
    key: () => sql`(select lower(subjects.label) from subjects where subjects.id = experiments.subject_id)`,
    needsLookup: true,
    walk: bySubject,
  },
  cohort: { type: 'text', key: labelOf('cohorts', 'experiments.cohort_id'), needsLookup: true },
  workflow: { type: 'text', key: labelOf('workflows', 'experiments.workflow_id'), needsLookup: true },
  state: {
    type: 'text',
    key: () => sql`(select ${stateKey} from states where states.id = experiments.state_id)`,
    needsLookup: true,
    walk: byState,
  },
  scanned: {
    type: 'timestamp',
    key: (isDescending) => sql`coalesce(experiments.scandate, ${noDate(isDescending)}::timestamp)`,
    needsLookup: false,
    walk: byScanDate,
  },
  changed: { type: 'bigint', key: () => latestAction, needsLookup: true, walk: byAction(isLatest) },
  'in-state': {
    type: 'bigint',
    key: () => entryAction,
    needsLookup: true,
    isReversed: true,
    walk: byAction(isEntry),
  },
};
