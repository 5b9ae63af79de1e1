/** The pages for setting up a study. The navigation shows those that need a permission only to users who have it. */
import { paths } from '../paths.ts';
import { useSession, type Permission } from '../session/session-context.ts';

const pages: readonly [name: string, path: string, needs?: Permission][] = [
  ['Imports', paths.imports, 'sample_add'],
  ['External systems', paths.externalSystems],
  ['Configuration', paths.configuration, 'config_manage'],
  ['Users', paths.users, 'user_read_all'],
  ['Roles', paths.roles, 'roles_manage'],
  ['Audit log', paths.audit, 'audit_read'],
  ['System', paths.system, 'service_run'],
];

/** With a role in a cohort, these pages show the data of that cohort. Users and roles need a role for all cohorts. */
const cohortPermissions: ReadonlySet<Permission> = new Set(['sample_add', 'audit_read']);

export function usePermittedPages(): [name: string, path: string][] {
  const { permissions, cohort_roles } = useSession();
  const inCohorts = new Set(cohort_roles.flatMap((held) => held.permissions));
  const isPermitted = (needs: Permission | undefined) =>
    needs === undefined || permissions.includes(needs) || (cohortPermissions.has(needs) && inCohorts.has(needs));
  return pages.flatMap(([name, path, needs]) => (isPermitted(needs) ? [[name, path]] : []));
}
