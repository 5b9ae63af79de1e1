/** The number of experiments of a cohort in each state, without empty states. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { BodyOf } from '../../api/operation-query.ts';
import { paths } from '../../paths.ts';
import { StateMark } from '../../status/state-chip.tsx';
import { useStateLook } from '../../status/use-state-look.tsx';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { NameLink } from '../../ui/name.tsx';
import { count, countOf } from '../../ui/numbers.ts';
import { EmptyState, Loading } from '../../ui/placeholders.tsx';
import { QueryResult, QueryErrors } from '../../ui/query-result.tsx';
import { AddExperiments, howToAdd } from '../experiments/add-experiments.tsx';
import { countsQuery, type StateCounts, workflowsQuery } from '../workflows/use-workflow.ts';
import styles from './cohort.module.css';

type Counts = BodyOf<'getWorkflowCounts'>;

const countColumn = (id: Exclude<keyof StateCounts, 'state'>, header: string): Column<StateCounts> => {
  const text = (row: StateCounts) => count(row[id]);
  const cell = (row: StateCounts) => <span className={row[id] === 0 ? styles['zero'] : undefined}>{text(row)}</span>;
  return { id, header, align: 'right', text, cell, ...(id === 'experiments' ? {} : { wideOnly: true as const }) };
};

const StateLink = ({ state, to }: { state: StateCounts['state']; to: string }) => (
  <span className={styles['state']}>
    <StateMark state={state} />
    <NameLink text={useStateLook(state).title} to={to} />
  </span>
);

/** A column of zeros only says that nothing is wrong. */
const withoutZeros = (columns: readonly Column<StateCounts>[], rows: readonly StateCounts[]) =>
  columns.filter(({ id }) => !incidents.has(id) || rows.some((row) => row[id as 'failed'] > 0));

const incidents: ReadonlySet<string> = new Set(['decide', 'failed', 'timed_out', 'waiting', 'blocked']);

const columnsFor = (workflowId: number, cohortId: number): readonly Column<StateCounts>[] => [
  {
    id: 'state',
    header: 'State',
    names: true,
    width: '40%',
    text: ({ state }) => state.label,
    cell: ({ state }) => (
      <StateLink state={state} to={`${paths.workflow(workflowId)}?cohort=${cohortId}&state=${state.id}`} />
    ),
  },
  countColumn('experiments', 'Experiments'),
  countColumn('decide', 'To decide'),
  countColumn('failed', 'Failed'),
  countColumn('timed_out', 'Timed out'),
  countColumn('waiting', 'Waiting'),
  countColumn('blocked', 'Blocked'),
];

function WorkflowStates({ cohortId, counts }: { cohortId: number; counts: Counts }) {
  const { workflow, states, experiments } = counts;
  const rows = states.filter((state) => state.experiments > 0);
  const columns = useMemo(() => columnsFor(workflow.id, cohortId), [workflow.id, cohortId]);
  return (
    <section className={styles['workflow']} aria-labelledby={`workflow-${workflow.id}`}>
      <h2 id={`workflow-${workflow.id}`}>
        <NameLink text={workflow.label} to={`${paths.workflow(workflow.id)}?cohort=${cohortId}`} />
        {` · ${countOf(experiments, 'experiment')}`}
      </h2>
      <DataTable
        label={`States of ${workflow.label}`}
        columns={withoutZeros(columns, rows)}
        rows={rows}
        rowKey={({ state }) => String(state.id)}
      />
    </section>
  );
}

function EachWorkflow({ cohortId, workflowIds }: { cohortId: number; workflowIds: readonly number[] }) {
  const all = useQueries({ queries: workflowIds.map((id) => countsQuery(id, cohortId)) });
  const loaded = all.flatMap(({ data }) => data ?? []);
  const shown = loaded.filter(({ experiments }) => experiments > 0);
  return (
    <>
      <QueryErrors queries={all} />
      {shown.map((counts) => (
        <WorkflowStates key={counts.workflow.id} cohortId={cohortId} counts={counts} />
      ))}
      {all.some(({ isPending, error }) => isPending && error === null) ? <Loading what="states" /> : null}
      {loaded.length === workflowIds.length && shown.length === 0 ? (
        <EmptyState title="This cohort has no experiments yet." actions={<AddExperiments cohort={{ id: cohortId }} />}>
          {howToAdd}
        </EmptyState>
      ) : null}
    </>
  );
}

export function CohortStates({ cohortId }: { cohortId: number }) {
  const workflows = useQuery(workflowsQuery);
  return (
    <QueryResult query={workflows} what="workflows">
      {({ workflows: all }) => <EachWorkflow cohortId={cohortId} workflowIds={all.map(({ id }) => id)} />}
    </QueryResult>
  );
}
