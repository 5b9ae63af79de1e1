/** How experiments flow through a workflow: what finishes, where experiments wait, when cohorts are done, and what fails. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useFilters } from '../../filters/use-filters.ts';
import { paths } from '../../paths.ts';
import { queryFaults } from '../../query/query-faults.ts';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { workflowsQuery } from '../workflows/use-workflow.ts';
import { aboutInsights } from './about-flow.ts';
import { flowOf, type Insights } from './flow-series.ts';
import { InsightFilters } from './insight-filters.tsx';
import { InsightFigures } from './insight-figures.tsx';
import { useInsightFilter, useInsights, type InsightFilter } from './use-insights.ts';
import styles from './insights.module.css';

export function InsightsPage() {
  useTitle('Insights');
  const workflows = useQuery(workflowsQuery);
  const filter = useInsightFilter(workflows.data?.workflows[0]?.id);
  const insights = useInsights(filter);
  const all = workflows.data?.workflows ?? [];
  const label = insights.data?.workflow.label ?? all.find(({ id }) => id === filter?.workflow_id)?.label;
  const faults = queryFaults(insights.error, ['?q']);
  const { clear } = useFilters();
  return (
    <>
      <PageHead title={<Title workflow={label} />} about={<About insights={insights.data} />}>
        {insights.data ? <Counted counted={insights.data.counted} /> : null}
      </PageHead>
      <QueryResult query={workflows} what="workflows">
        {() =>
          filter === undefined ? (
            <NoWorkflows />
          ) : (
            <>
              <InsightFilters workflows={all} filter={filter} faults={faults} />
              {faults.length > 0 ? null : (
                <QueryResult query={insights} what="figures" onClearFilters={clear}>
                  {(data) => <Loaded insights={data} filter={filter} isOld={insights.isPlaceholderData} />}
                </QueryResult>
              )}
            </>
          )
        }
      </QueryResult>
    </>
  );
}

const Title = ({ workflow }: { workflow: string | undefined }) =>
  workflow === undefined ? (
    'Insights'
  ) : (
    <>
      Insights · <bdi>{workflow}</bdi>
    </>
  );

/** A space keeps the height of the line while it is unknown. */
function About({ insights }: { insights: Insights | undefined }) {
  if (!insights) return '\u00A0';
  if (insights.flow.length === 0) return 'No experiments in this period.';
  return aboutInsights(flowOf(insights));
}

const Counted = ({ counted: { at, rebuilding } }: Pick<Insights, 'counted'>) => (
  <p className={styles['counted']}>
    {at === null ? (
      'Counting has not begun.'
    ) : (
      <>
        Counted up to <Timestamp at={at} as="short" />
      </>
    )}
    {rebuilding ? <span role="status">Older experiments are still being counted.</span> : null}
  </p>
);

interface LoadedProps {
  insights: Insights;
  filter: InsightFilter;
  /** Whether the figures are those of the filter before. */
  isOld: boolean;
}

const Loaded = ({ insights, filter, isOld }: LoadedProps) =>
  insights.flow.length === 0 && insights.forecasts.length === 0 ? (
    <NoExperiments workflow={insights.workflow.label} filter={filter} />
  ) : (
    <div className={styles['figures']} aria-busy={isOld} data-old={isOld || undefined}>
      <InsightFigures insights={insights} filter={filter} />
    </div>
  );

const NoWorkflows = () => (
  <EmptyState
    title="No workflows yet."
    actions={
      <Button component={Link} to={paths.workflows}>
        Workflows
      </Button>
    }
  >
    Import a workflow and create experiments. This page then shows how they move through it.
  </EmptyState>
);

function NoExperiments({ workflow, filter }: { workflow: string; filter: InsightFilter }) {
  const { set } = useFilters();
  return filter.q !== undefined || filter.cohort_id !== undefined ? (
    <EmptyState title="No matching experiments.">
      <Button variant="subtle" onClick={() => set({ q: undefined, cohort: undefined })}>
        Clear the filters
      </Button>
    </EmptyState>
  ) : (
    <EmptyState
      title={`No experiments yet in ${workflow}.`}
      actions={
        <Button component={Link} to={paths.experiments}>
          Experiments
        </Button>
      }
    >
      Create the first one, or let the archive do it through the API when scans arrive. This page then shows how
      experiments move through the workflow.
    </EmptyState>
  );
}
