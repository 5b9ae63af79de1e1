/** One cohort: its progress, its subjects with the states of their experiments, the states, and what is known about it. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { ImportIntoCohort } from '../imports/import-button.tsx';
import { experimentsWith } from '../../query/query-path.ts';
import { useCohortPermission } from '../../session/session-context.ts';
import { useStateLooks } from '../../status/use-state-look.tsx';
import { countOf } from '../../ui/numbers.ts';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { QueryErrors, QueryResult } from '../../ui/query-result.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ResourcePage } from '../resource-page.tsx';
import { NewSubject } from '../subjects/subject-forms.tsx';
import { CohortMatrix } from './cohort-matrix.tsx';
import { ProgressBar, ProgressLegend } from '../../progress/progress-bar.tsx';
import { CohortAbout } from './cohort-about.tsx';
import { CohortForecasts } from './cohort-forecasts.tsx';
import { EditCohort } from './cohort-forms.tsx';
import { CohortStates } from './cohort-states.tsx';
import { useMatrixCsv } from './use-matrix-csv.ts';
import { useMatrixFilter } from './matrix-filters.tsx';
import { useCohort, useSummary, type CohortHead, type CohortSummary } from './use-cohort.ts';
import styles from './cohort.module.css';

export const CohortPage = () => <ResourcePage of={(id) => <Cohort key={id} id={id} />} />;

const views = ['matrix', 'states', 'about'] as const;
type View = (typeof views)[number];

const useView = (): View => {
  const view = useSearchParams()[0].get('view');
  return views.find((name) => name === view) ?? 'matrix';
};

function Cohort({ id }: { id: number }) {
  const view = useView();
  const cohort = useCohort(id);
  const summary = useSummary(id);
  useTitle(cohort.data?.label);
  const hasSubjects = (summary.data?.subjects ?? 0) > 0;
  return (
    <>
      <PageHead
        title={<bdi>{cohort.data?.label ?? 'Cohort'}</bdi>}
        about={cohort.data && summary.data ? <Numbers cohort={cohort.data} summary={summary.data} /> : undefined}
      >
        {cohort.data ? <EditCohort cohort={cohort.data} /> : null}
        {cohort.data && hasSubjects ? (
          <>
            {summary.data && view === 'matrix' ? <ExportCsv cohort={cohort.data} summary={summary.data} /> : null}
            <ImportIntoCohort cohort={cohort.data} />
            <NewSubject cohort={cohort.data} />
          </>
        ) : null}
      </PageHead>
      <QueryResult query={cohort} what="the cohort">
        {(data) => (
          <>
            <QueryErrors queries={[summary]} />
            <ProgressOf summary={summary.data} />
            <Views view={view} />
            <Shown view={view} cohort={data} summary={summary.data} empty={<NoSubjects cohort={data} />} />
          </>
        )}
      </QueryResult>
    </>
  );
}

const ProgressOf = ({ summary }: { summary: CohortSummary | undefined }) =>
  summary && summary.experiments > 0 ? (
    <>
      <ProgressBar progress={summary.progress} />
      <ProgressLegend progress={summary.progress} />
      <CohortForecasts cohortId={summary.id} states={summary.states.map(({ state }) => state)} />
    </>
  ) : null;

const Views = ({ view }: { view: View }) => (
  <Tabs
    label="Views"
    tabs={[
      { name: 'Matrix', to: '?', current: view === 'matrix' },
      { name: 'States', to: '?view=states', current: view === 'states' },
      { name: 'About', to: '?view=about', current: view === 'about' },
    ]}
  />
);

interface ShownProps {
  view: View;
  cohort: CohortHead;
  summary: CohortSummary | undefined;
  empty: ReactNode;
}

function Shown({ view, cohort, summary, empty }: ShownProps) {
  if (view === 'about') return <CohortAbout cohort={cohort} />;
  if (view === 'states') return <CohortStates cohortId={cohort.id} />;
  return <CohortMatrix id={cohort.id} summary={summary} empty={empty} />;
}

/** `312 subjects, 1,114 experiments. 3 subjects withdrew.` */
const Numbers = ({ cohort, summary }: { cohort: CohortHead; summary: CohortSummary }) => (
  <>
    {countOf(summary.subjects, 'subject')},{' '}
    <Link className={styles['link']} to={experimentsWith({ cohort: cohort.label })}>
      {countOf(summary.experiments, 'experiment')}
    </Link>
    .{summary.withdrawn === 0 ? '' : ` ${countOf(summary.withdrawn, 'subject')} withdrawn.`}
  </>
);

function ExportCsv({ cohort, summary }: { cohort: CohortHead; summary: CohortSummary }) {
  const { mutate, isPending } = useMatrixCsv();
  const filter = useMatrixFilter();
  const lookOf = useStateLooks();
  return (
    <Button loading={isPending} onClick={() => mutate({ cohort, summary, filter, lookOf })}>
      Export CSV
    </Button>
  );
}

const NoSubjects = ({ cohort }: { cohort: CohortHead }) => (
  <EmptyState
    title="This cohort has no subjects yet."
    actions={
      useCohortPermission(cohort, 'sample_add') ? (
        <>
          <NewSubject cohort={cohort} />
          <ImportIntoCohort cohort={cohort} />
        </>
      ) : null
    }
  >
    Subjects are the participants of the study. Each has experiments, which move through a workflow.
  </EmptyState>
);
