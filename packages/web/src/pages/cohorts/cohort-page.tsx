/** One cohort: its subjects with the states of their experiments, or the number of experiments in each state. */
import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { experimentsWith } from '../../query/query-path.ts';
import { PagedTable } from '../../table/paged-table.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ResourcePage } from '../resource-page.tsx';
import { CohortStates } from './cohort-states.tsx';
import { matrixColumns } from './matrix-columns.tsx';
import { useCohort, useMatrix, type CohortHead } from './use-cohort.ts';
import styles from './cohort.module.css';

export const CohortPage = () => <ResourcePage of={(id) => <Cohort key={id} id={id} />} />;

const About = ({ cohort: { description, external_urls } }: { cohort: CohortHead }) => {
  const elsewhere = Object.entries(external_urls);
  return (
    <>
      {description === '' ? null : <LongText text={description} />}
      {elsewhere.length === 0 ? null : (
        <span className={styles['elsewhere']}>
          Also in
          {elsewhere.map(([system, url]) => (
            <ExternalLink key={system} url={url} text={system} />
          ))}
        </span>
      )}
    </>
  );
};

function Cohort({ id }: { id: number }) {
  const cohort = useCohort(id);
  const inStates = useSearchParams()[0].get('view') === 'states';
  useTitle(cohort.data?.label);
  return (
    <>
      <PageHead
        title={<bdi>{cohort.data?.label ?? 'Cohort'}</bdi>}
        about={cohort.data ? <About cohort={cohort.data} /> : undefined}
      >
        {cohort.data ? (
          <Button component={Link} to={experimentsWith({ cohort: cohort.data.label })}>
            Experiments
          </Button>
        ) : null}
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
      {cohort.error ? null : inStates ? <CohortStates cohortId={id} /> : <Matrix id={id} />}
    </>
  );
}

function Matrix({ id }: { id: number }) {
  const matrix = useMatrix(id);
  return (
    <PagedTable
      of={matrix}
      what="subjects"
      label="Subjects and their experiments"
      columns={matrixColumns(matrix.rows)}
      rowHeight={63}
      empty={<EmptyState title="This cohort has no subjects yet.">Create subjects through the API.</EmptyState>}
    />
  );
}
