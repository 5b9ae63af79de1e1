/** The first step of an import: the file, the cohort, and how to read the file. */
import { useQueries } from '@tanstack/react-query';
import { cohortsQuery } from '../../filters/study-filters.tsx';
import { paths } from '../../paths.ts';
import { usePermission, useSession } from '../../session/session-context.ts';
import { Breadcrumbs, PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState, Loading } from '../../ui/placeholders.tsx';
import { QueryErrors } from '../../ui/query-result.tsx';
import { NewCohort } from '../cohorts/cohort-forms.tsx';
import { workflowsQuery } from '../workflows/use-workflow.ts';
import { CannotImport } from './cannot-import.tsx';
import { ImportForm } from './import-form.tsx';
import { Steps } from './steps.tsx';

/** The cohorts to which the user may add subjects. */
function useAllowed() {
  const { permissions, cohort_roles: roles } = useSession();
  const held = roles.filter((role) => role.permissions.includes('sample_add'));
  const allowed = new Set(held.map(({ cohort }) => cohort.id));
  return ({ id }: { id: number }) => permissions.includes('sample_add') || allowed.has(id);
}

function Form() {
  const isAllowed = useAllowed();
  const queries = useQueries({ queries: [cohortsQuery, workflowsQuery] });
  const [{ data: cohorts }, { data: workflows }] = queries;
  if (queries.some(({ error }) => error !== null)) return <QueryErrors queries={queries} />;
  if (!cohorts || !workflows) return <Loading what="cohorts" />;
  const allowed = cohorts.cohorts.filter(isAllowed);
  if (allowed.length > 0) return <ImportForm cohorts={allowed} workflows={workflows.workflows} />;
  return cohorts.cohorts.length === 0 ? <NoCohort /> : <CannotImport />;
}

const NoCohort = () => (
  <EmptyState title="No cohort yet." actions={<NewCohort />}>
    An import adds subjects to a cohort.{' '}
    {usePermission('sample_add') ? 'Create one first.' : 'Ask an administrator to create one.'}
  </EmptyState>
);

export function NewImportPage() {
  useTitle('Import a spreadsheet');
  return (
    <>
      <Breadcrumbs crumbs={[{ label: 'Imports', to: paths.imports }]} />
      <PageHead
        title="Import a spreadsheet"
        about="Each line is checked first. Nothing changes until you import the correct lines."
      />
      <Steps />
      <Form />
    </>
  );
}
