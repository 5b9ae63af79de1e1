/** Pages that are not for everybody: whoever may not see one is not led there either. */
import { paths } from '../paths.ts';
import { useSession, type Permission } from '../session/session-context.ts';

const places: readonly [name: string, path: string, needs: Permission][] = [
  ['Users', paths.users, 'user_read_all'],
  ['Roles', paths.roles, 'roles_manage'],
  ['Audit', paths.audit, 'audit_read'],
];

/** A role for some cohorts opens the audit of those; users and roles concern the whole installation. */
export function usePermittedPlaces(): [name: string, path: string][] {
  const { permissions, cohort_roles } = useSession();
  const ofCohorts = new Set(cohort_roles.flatMap((held) => held.permissions));
  const opens = (needs: Permission) =>
    permissions.includes(needs) || (needs === 'audit_read' && ofCohorts.has('audit_read'));
  return places.flatMap(([name, path, needs]) => (opens(needs) ? [[name, path]] : []));
}
