/** The pages that need a permission. The navigation shows them only to users who have it. */
import { paths } from '../paths.ts';
import { useSession, type Permission } from '../session/session-context.ts';

const pages: readonly [name: string, path: string, needs: Permission][] = [
  ['Users', paths.users, 'user_read_all'],
  ['Roles', paths.roles, 'roles_manage'],
  ['Audit log', paths.audit, 'audit_read'],
];

/** A role in a cohort gives access to the audit log of that cohort. Users and roles need a role for all cohorts. */
export function usePermittedPages(): [name: string, path: string][] {
  const { permissions, cohort_roles } = useSession();
  const inCohorts = new Set(cohort_roles.flatMap((held) => held.permissions));
  const isPermitted = (needs: Permission) =>
    permissions.includes(needs) || (needs === 'audit_read' && inCohorts.has('audit_read'));
  return pages.flatMap(([name, path, needs]) => (isPermitted(needs) ? [[name, path]] : []));
}
