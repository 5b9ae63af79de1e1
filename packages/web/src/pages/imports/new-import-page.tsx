/** The first step of an import: the file, the cohort, and how to read the file. */
import { useQueries } from '@tanstack/react-query';
import { Link } from 'react-router';
import { cohortsQuery } from '../../filters/study-filters.tsx';
import { paths } from '../../paths.ts';
import { useSession } from '../../session/session-context.ts';
import { Breadcrumbs, PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState, Loading } from '../../ui/placeholders.tsx';
import { QueryErrors } from '../../ui/query-result.tsx';
import { workflowsQuery } from '../workflows/use-workflow.ts';
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
  return allowed.length === 0 ? <NoCohort /> : <ImportForm cohorts={allowed} workflows={workflows.workflows} />;
}

const NoCohort = () => (
  <EmptyState title="No cohort yet.">
    An import adds subjects to a cohort. See <Link to={paths.cohorts}>Cohorts</Link>.
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
