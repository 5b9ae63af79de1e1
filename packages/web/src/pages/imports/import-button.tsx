/** Leads to the import of a spreadsheet, for users who may import. */
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { useCohortPermission, usePermissionSomewhere } from '../../session/session-context.ts';

const ImportLink = ({ query = '' }: { query?: string }) => (
  <Button component={Link} to={`${paths.newImport}${query}`}>
    Import a spreadsheet
  </Button>
);

/** The user chooses the cohort. */
export const ImportSpreadsheet = () => (usePermissionSomewhere('sample_add') ? <ImportLink /> : null);

export const ImportIntoCohort = ({ cohort }: { cohort: { id: number } }) =>
  useCohortPermission(cohort, 'sample_add') ? <ImportLink query={`?cohort=${cohort.id}`} /> : null;
