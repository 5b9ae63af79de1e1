import { createContext, use } from 'react';
import type { Session } from './session-query.ts';

export const SessionContext = createContext<Session | null>(null);

/** Pages inside the frame always have a session. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('No user is signed in');
  return session;
}

export type Permission = Session['permissions'][number];

/** Whether the user has a permission, for all cohorts or in some. Without one, the server shows no study data. */
export const useCanRead = (): boolean => {
  const { permissions, cohort_roles } = useSession();
  return [permissions, ...cohort_roles.map((role) => role.permissions)].some((held) => held.length > 0);
};

/** Hides controls that the server would reject. The server makes the decision. */
export const usePermission = (permission: Permission): boolean => useSession().permissions.includes(permission);

/** Whether the user has the permission for all cohorts, or in at least one. */
export const usePermissionSomewhere = (permission: Permission): boolean => {
  const { permissions, cohort_roles } = useSession();
  return [permissions, ...cohort_roles.map((role) => role.permissions)].some((all) => all.includes(permission));
};

/** Like `usePermission`, for the data of one cohort, which includes roles in that cohort. */
export const useCohortPermission = (cohort: { id: number }, permission: Permission): boolean => {
  const { permissions, cohort_roles } = useSession();
  const held = cohort_roles.filter((role) => role.cohort.id === cohort.id);
  return [permissions, ...held.map((role) => role.permissions)].some((all) => all.includes(permission));
};
