/**
 * The order in which a list of experiments is read. One part of the filter leads with its index, and the others filter the rows
 * that it finds.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Order } from '../../database/read-list.ts';
import { scanStep, type FindStep } from '../../database/stepwise-list.ts';
import { findOfParents } from '../merge-parents.ts';
import { orderByScope, scanLimit, type Scope } from '../scope.ts';
import { findByExperiments, type RowsByExperiment } from './find-by-experiments.ts';

export interface ExperimentFilter {
  subjectIds?: readonly number[];
  stateIds?: readonly number[];
  /** A time span on the scanner's clock. */
  scandate?: { from: string; span: '1 day' | '1 millisecond' };
  /** The whole label. */
  label?: string;
}

export type ExperimentOrder = Pick<Order, 'parent' | 'find'>;

const byState = { parent: 'experiments.state_id', id: 'experiments.id' };

/**
 * A subject has few experiments, which are sorted. Many experiments can have one label, which is read in steps. With access to all
 * cohorts, states are read by their index. Otherwise, the index of the cohorts is used. `others` are the conditions that do not
 * lead: those on states, or all except the label.
 */
export function orderOf(
  scope: Scope,
  { subjectIds, stateIds, scandate, label }: ExperimentFilter,
  others: { states?: RawBuilder<boolean>; exceptLabel: RawBuilder<boolean> },
): ExperimentOrder {
  if (subjectIds !== undefined) return {};
  if (label !== undefined) return { find: findLabelled(scope, label, others.exceptLabel) };
  if (scope.kind !== 'all') {
    if (scandate !== undefined) return {};
    return orderByScope(scope, { cohort: 'experiments.cohort_id', id: 'experiments.id' }, others.states);
  }
  const [stateId, ...more] = stateIds ?? [];
  if (stateIds === undefined || stateId === undefined) return {};
  if (more.length === 0) return { parent: { column: byState.parent, id: stateId } };
  return scandate === undefined ? { find: findOfParents(stateIds, byState) } : {};
}

const findLabelled = (scope: Scope, label: string, others: RawBuilder<boolean>): FindStep => {
  const rows = labelledRows(label, others);
  if (scope.kind !== 'all') return findByExperiments(scope, rows);
  return (run, { after, limit }) =>
    scanStep(run, limit, {
      near: rows.after(after, scanLimit),
      scanLimit,
      order: rows.order,
      where: rows.matches,
    });
};

/**
 * The index is on the lower-case label, so the query compares that as well as the label itself. The label is a subquery, so that
 * the planner does not know how common it is. For a common one, it would otherwise scan the whole table.
 */
const labelledRows = (label: string, others: RawBuilder<boolean>): Required<RowsByExperiment> => {
  const [column, wanted] = [sql`lower(experiments.label)`, sql`(select lower(${label}::text collate "C"))`];
  const matches = sql<boolean>`experiments.label = ${label} and ${others}`;
  return {
    after: (id, limit) => sql`
      select experiments.id, lower(experiments.label) as label from experiments
      where (${column}, experiments.id) > (${wanted}, ${id}) and ${column} >= ${wanted} and ${column} <= ${wanted}
      order by ${column}, experiments.id limit ${limit}`,
    order: sql`near.label, near.id`,
    experimentId: sql`near.id`,
    matches: sql<boolean>`(select ${matches} from experiments where experiments.id = near.id)`,
    ofExperiment: sql`select experiments.id where ${matches}`,
  };
};
