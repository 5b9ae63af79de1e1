/** One import: its columns, the faults, a preview, and what it creates or has created. */
import { Button } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { paths } from '../../paths.ts';
import { Breadcrumbs, PageHead, TwoColumns, useTitle } from '../../ui/page-layout.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { ResourcePage } from '../resource-page.tsx';
import { ColumnsSection } from './columns-section.tsx';
import { Faults } from './faults.tsx';
import { ImportCard } from './import-card.tsx';
import { useImport, useImportChange, type ImportChange } from './import-queries.ts';
import { ImportSettings } from './import-settings.tsx';
import { fileText, isCancellable, type Import } from './import-words.ts';
import { Preview } from './preview.tsx';
import { Steps } from './steps.tsx';
import styles from './imports.module.css';

export const ImportPage = () => <ResourcePage of={(id) => <ImportById key={id} id={id} />} />;

function ImportById({ id }: { id: number }) {
  const found = useImport(id);
  useTitle(found.data && `Import ${found.data.file_name}`);
  return (
    <>
      <Breadcrumbs crumbs={[{ label: 'Imports', to: paths.imports }]} />
      <QueryResult query={found} what="the import">
        {(shown) => <Shown of={shown} />}
      </QueryResult>
    </>
  );
}

function Shown({ of }: { of: Import }) {
  const change = useImportChange(of.id);
  return (
    <>
      <PageHead title={<bdi>Import {of.file_name}</bdi>} about={<About of={of} />}>
        {isCancellable(of) ? <CancelButton change={change} /> : null}
      </PageHead>
      <Steps of={of} />
      {change.error ? (
        <div className={styles['problem']}>
          <ProblemNote error={change.error} />
        </div>
      ) : null}
      <TwoColumns
        first={<ImportCard of={of} change={change} />}
        main={
          <>
            <ColumnsSection of={of} change={change} />
            <Faults of={of} />
          </>
        }
        side={<ImportSettings of={of} change={change} />}
      />
      <Preview of={of} />
    </>
  );
}

const About = ({ of }: { of: Import }) => (
  <>
    {fileText(of)} Imports into the cohort{' '}
    <Link className={styles['link']} to={paths.cohort(of.cohort.id)}>
      <bdi>{of.cohort.label}</bdi>
    </Link>
    .
  </>
);

function CancelButton({ change }: { change: ImportChange }) {
  const navigate = useNavigate();
  return (
    <Button
      loading={change.isPending && change.variables === 'stop'}
      onClick={() => change.mutate('stop', { onSuccess: () => void navigate(paths.imports) })}
    >
      Cancel
    </Button>
  );
}
