/** One cohort: its subjects with the states of their experiments, or the number of experiments in each state. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { paths } from '../../paths.ts';
import { experimentsWith } from '../../query/query-path.ts';
import type { Owner } from '../../external-ids/kinds.ts';
import { AddValue, EditValue } from '../../external-ids/value-buttons.tsx';
import { PagedTable } from '../../table/paged-table.tsx';
import { useCohortPermission } from '../../session/session-context.ts';
import { ExternalLink } from '../../ui/external-link.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ResourcePage } from '../resource-page.tsx';
import { NewSubject } from '../subjects/subject-forms.tsx';
import { CohortStates } from './cohort-states.tsx';
import { matrixColumns } from './matrix-columns.tsx';
import { EditCohort } from './cohort-forms.tsx';
import { useCohort, useMatrix, type CohortHead } from './use-cohort.ts';
import styles from './cohort.module.css';

export const CohortPage = () => <ResourcePage of={(id) => <Cohort key={id} id={id} />} />;

const About = ({ cohort }: { cohort: CohortHead }) => {
  const { id, description, external_urls } = cohort;
  const elsewhere = Object.entries(external_urls);
  const owner: Owner = { kind: 'cohort', id, cohort };
  return (
    <>
      {description === '' ? null : <LongText text={description} />}
      <span className={styles['elsewhere']}>
        {elsewhere.length === 0 ? null : 'Also in'}
        {elsewhere.map(([system, url]) => (
          <span key={system}>
            <ExternalLink url={url} text={system} />
            <EditValue owner={owner} system={system} />
          </span>
        ))}
        <AddValue owner={owner} />
      </span>
    </>
  );
};

const Cohort = ({ id }: { id: number }) =>
  useSearchParams()[0].get('view') === 'states' ? <InStates id={id} /> : <BySubject id={id} />;

function InStates({ id }: { id: number }) {
  const cohort = useCohort(id);
  return (
    <>
      <Head cohort={cohort} inStates>
        {cohort.data ? <NewSubject cohort={cohort.data} /> : null}
      </Head>
      {cohort.error ? null : <CohortStates cohortId={id} />}
    </>
  );
}

function BySubject({ id }: { id: number }) {
  const cohort = useCohort(id);
  const matrix = useMatrix(id);
  return (
    <>
      <Head cohort={cohort} inStates={false}>
        {cohort.data && matrix.rows.length > 0 ? (
          <>
            <ImportSpreadsheet cohort={cohort.data} />
            <NewSubject cohort={cohort.data} />
          </>
        ) : null}
      </Head>
      {cohort.error ? null : (
        <PagedTable
          of={matrix}
          what="subjects"
          label="Subjects and their experiments"
          columns={matrixColumns(matrix.rows)}
          rowHeight={63}
          empty={cohort.data ? <NoSubjects cohort={cohort.data} /> : null}
        />
      )}
    </>
  );
}

interface HeadProps {
  cohort: ReturnType<typeof useCohort>;
  inStates: boolean;
  /** The primary button. */
  children: ReactNode;
}

function Head({ cohort, inStates, children }: HeadProps) {
  useTitle(cohort.data?.label);
  return (
    <>
      <PageHead
        title={<bdi>{cohort.data?.label ?? 'Cohort'}</bdi>}
        about={cohort.data ? <About cohort={cohort.data} /> : undefined}
      >
        {cohort.data ? (
          <>
            <EditCohort cohort={cohort.data} />
            <Button component={Link} to={experimentsWith({ cohort: cohort.data.label })}>
              Experiments
            </Button>
          </>
        ) : null}
        {children}
      </PageHead>
      <QueryResult query={cohort} what="the cohort">
        {() => (
          <Tabs
            label="Views"
            tabs={[
              { name: 'Subjects', to: '?', current: !inStates },
              { name: 'States', to: '?view=states', current: inStates },
            ]}
          />
        )}
      </QueryResult>
    </>
  );
}

const ImportSpreadsheet = ({ cohort }: { cohort: CohortHead }) =>
  useCohortPermission(cohort, 'sample_add') ? (
    <Button component={Link} to={`${paths.imports}?cohort=${cohort.id}`}>
      Import a spreadsheet
    </Button>
  ) : null;

const NoSubjects = ({ cohort }: { cohort: CohortHead }) => (
  <EmptyState
    title="This cohort has no subjects yet."
    actions={
      useCohortPermission(cohort, 'sample_add') ? (
        <>
          <NewSubject cohort={cohort} />
          <ImportSpreadsheet cohort={cohort} />
        </>
      ) : null
    }
  >
    Subjects are the participants of the study. Each has experiments, which move through a workflow.
  </EmptyState>
);
