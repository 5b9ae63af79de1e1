import { useQuery } from '@tanstack/react-query';
import { useSession, type Permission } from '../session/session-context.ts';
import { cohortsQuery } from './study-filters.tsx';

/** The cohorts in which the user has the permission. */
export function usePermittedCohorts(permission: Permission) {
  const { permissions, cohort_roles } = useSession();
  const { data } = useQuery(cohortsQuery);
  const roles = cohort_roles.filter((role) => role.permissions.includes(permission));
  const allowed = new Set(roles.map(({ cohort }) => cohort.id));
  return (data?.cohorts ?? []).filter(({ id }) => permissions.includes(permission) || allowed.has(id));
}
