/** The user's own imports, newest first. */
import { Button } from '@mantine/core';
import { Link, Navigate, useLocation } from 'react-router';
import { noEvents, operationQuery, type BodyOf } from '../../api/operation-query.ts';
import { paths } from '../../paths.ts';
import { usePermissionSomewhere } from '../../session/session-context.ts';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { useLinkedPages } from '../../table/use-linked-pages.ts';
import { Name, NameLink } from '../../ui/name.tsx';
import { count } from '../../ui/numbers.ts';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { CannotImport } from './cannot-import.tsx';
import { isWorking, resultText, statusName, type Import } from './import-words.ts';
import { TemplateButton } from './template-button.tsx';
import styles from './imports.module.css';

const pageSize = 50;

const useImports = () =>
  useLinkedPages({
    query: (before: number | undefined) =>
      operationQuery(
        'listImports',
        { query: { limit: pageSize, ...(before === undefined ? {} : { before }) } },
        noEvents,
      ),
    rowsOf: ({ imports }: BodyOf<'listImports'>) => imports,
    everyMilliseconds: ({ imports }) => (imports.some(isWorking) ? 3000 : false),
    nextOf: ({ imports }) => (imports.length < pageSize ? undefined : imports.at(-1)?.id),
    filter: '',
  });

const columns: readonly Column<Import>[] = [
  {
    id: 'file',
    header: 'File',
    names: true,
    width: '26%',
    text: ({ file_name: name }) => name,
    cell: ({ id, file_name: name }) => <NameLink text={name} to={paths.importPage(id)} />,
  },
  {
    id: 'cohort',
    header: 'Cohort',
    width: '18%',
    text: ({ cohort }) => cohort.label,
    cell: ({ cohort }) => <Name text={cohort.label} />,
  },
  { id: 'status', header: 'Status', width: '104px', text: statusName, cell: statusName },
  {
    id: 'lines',
    header: 'Lines',
    align: 'right',
    width: '84px',
    wideOnly: true,
    text: ({ lines }) => String(lines),
    cell: ({ lines }) => count(lines),
  },
  { id: 'result', header: 'Result', text: resultText, cell: resultText },
  {
    id: 'created',
    header: 'Uploaded',
    align: 'right',
    width: '132px',
    text: ({ created_at: at }) => at,
    cell: ({ created_at: at }) => <Timestamp at={at} as="short" />,
  },
];

/** A link from a cohort starts an import into it. */
export function ImportsPage() {
  const { search } = useLocation();
  const canImport = usePermissionSomewhere('sample_add');
  if (new URLSearchParams(search).has('cohort')) return <Navigate to={`${paths.newImport}${search}`} replace />;
  return canImport ? <OwnImports /> : <NoAccess />;
}

function NoAccess() {
  useTitle('Imports');
  return (
    <>
      <PageHead title="Imports" />
      <CannotImport />
    </>
  );
}

function OwnImports() {
  useTitle('Imports');
  const imports = useImports();
  return (
    <>
      <PageHead title="Imports" about="Your spreadsheets with subjects and experiments, newest first.">
        <Button component={Link} variant="filled" to={paths.newImport}>
          Import a spreadsheet
        </Button>
      </PageHead>
      <QueryResult query={imports.first} what="imports">
        {() =>
          imports.rows.length === 0 ? (
            <NoImports />
          ) : (
            <>
              <DataTable label="Imports" columns={columns} rows={imports.rows} rowKey={({ id }) => String(id)} />
              <MoreRows of={imports} noun="import" />
            </>
          )
        }
      </QueryResult>
    </>
  );
}

const NoImports = () => (
  <>
    <EmptyState title="No imports yet.">
      Import subjects and experiments from a CSV file, with dates, scans, external IDs and variables. The template has a
      column for each of them.
    </EmptyState>
    <TemplateButton className={styles['afterEmpty']} />
  </>
);
