/** The first experiments of the selected state: its decisions, or else those with incidents and then the others. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useCohortLabel } from '../../filters/study-filters.tsx';
import { useFilters } from '../../filters/use-filters.ts';
import { experimentsWith } from '../../query/query-path.ts';
import { paths } from '../../paths.ts';
import { StateMark } from '../../status/state-chip.tsx';
import { useStateLook } from '../../status/use-state-look.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { count, countOf } from '../../ui/numbers.ts';
import { EmptyState, Loading } from '../../ui/placeholders.tsx';
import { tooltipIfTruncated } from '../../ui/tooltip.tsx';
import { QueryErrors, QueryResult } from '../../ui/query-result.tsx';
import { decisionColumns, rowColumns } from './state-columns.tsx';
import type { OutgoingTransition } from './outgoing-transitions.ts';
import type { NamedState } from '../../status/state-looks.ts';
import { StateTransitions } from './state-transitions.tsx';
import { decisionsQuery, shownRows, useStateRows } from './use-state-rows.ts';
import type { StateCounts } from './use-workflow.ts';
import styles from './workflow.module.css';

export interface OneStateProps {
  workflow: { id: number; label: string };
  state: NamedState;
  /** The description of the state. */
  freetext: string;
  transitions: readonly OutgoingTransition[];
  /** Undefined until they are loaded. */
  counts: StateCounts | undefined;
  /** Whether the graph shows a past day. The experiments are those of now. */
  isPast: boolean;
}

export function OneState(props: OneStateProps) {
  const { state, counts, transitions } = props;
  const { title } = useStateLook(state);
  return (
    <section aria-labelledby="experiments">
      {counts && counts.decide > 0 ? <Decisions {...props} /> : <Rows {...props} />}
      <StateTransitions label={title} transitions={transitions} />
    </section>
  );
}

function Rows(props: OneStateProps) {
  const { numberOf, clear } = useFilters();
  const { rows, queries } = useStateRows(props.state.id, numberOf('cohort'));
  return (
    <>
      <Head {...props} />
      <QueryErrors queries={queries} onClearFilters={clear} />
      {rows === undefined ? (
        <Loading what="experiments" />
      ) : rows.length === 0 ? (
        <EmptyState title="No experiments in this state." />
      ) : (
        <DataTable
          label={`Experiments in ${props.state.label}`}
          columns={rowColumns}
          rows={rows}
          rowKey={({ id }) => String(id)}
        />
      )}
      <ShowAll {...props} shown={rows?.length ?? 0} />
    </>
  );
}

function Decisions(props: OneStateProps) {
  const { numberOf, clear } = useFilters();
  // A decision becomes overdue without an event.
  const query = useQuery({ ...decisionsQuery(props.state.id, numberOf('cohort')), refetchInterval: 60_000 });
  const items = query.data?.items ?? [];
  const [next] = items;
  return (
    <>
      <Head {...props}>
        {next ? (
          <Button component={Link} variant="filled" to={paths.experiment(next.experiment.id)}>
            Decide next
          </Button>
        ) : null}
      </Head>
      <QueryResult query={query} what="decisions" onClearFilters={clear}>
        {() => (
          <DataTable
            label={`Decisions in ${props.state.label}`}
            columns={decisionColumns}
            rows={items}
            rowKey={({ id }) => String(id)}
          />
        )}
      </QueryResult>
      <ShowAll {...props} shown={items.length} />
    </>
  );
}

function Head({ state, freetext, counts, isPast, children }: OneStateProps & { children?: ReactNode }) {
  const { set } = useFilters();
  const { title } = useStateLook(state);
  return (
    <div className={styles['head']}>
      <h2 id="experiments">
        <span className={styles['mark']}>
          <StateMark state={state} />
        </span>{' '}
        <bdi>{title}</bdi>
        {counts === undefined ? null : ` · ${countOf(counts.experiments, 'experiment')}`}
        {isPast ? ' now' : null}
      </h2>
      <p className={styles['freetext']} dir="auto" {...tooltipIfTruncated(freetext)}>
        {freetext}
      </p>
      <Button variant="subtle" onClick={() => set({ state: undefined })}>
        Show all states
      </Button>
      {children}
    </div>
  );
}

/** On the page of experiments, with its filters and the export. */
function ShowAll({ workflow, state, counts, shown }: OneStateProps & { shown: number }) {
  const cohortId = useFilters().numberOf('cohort');
  const cohort = useCohortLabel(cohortId);
  if (counts === undefined || counts.experiments <= Math.min(shown, shownRows)) return null;
  if (cohortId !== undefined && cohort === undefined) return null;
  const filters = { workflow: workflow.label, state: state.label, ...(cohort === undefined ? {} : { cohort }) };
  return (
    <Button component={Link} variant="subtle" className={styles['all'] ?? ''} to={experimentsWith(filters)}>
      Show all {count(counts.experiments)}
    </Button>
  );
}
