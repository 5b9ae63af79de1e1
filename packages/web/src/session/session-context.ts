import { createContext, use } from 'react';
import type { Session } from './session-query.ts';

export const SessionContext = createContext<Session | null>(null);

/** Inside the frame there always is one. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('Nobody is signed in');
  return session;
}

export type Permission = Session['permissions'][number];

/** For hiding what would be refused; the server decides. */
export const useMay = (permission: Permission): boolean => useSession().permissions.includes(permission);

/** The same for the data of one cohort, which a role may be for alone. */
export const useMayIn = (cohort: { id: number }, permission: Permission): boolean => {
  const { permissions, cohort_roles } = useSession();
  const held = cohort_roles.filter((role) => role.cohort.id === cohort.id);
  return [permissions, ...held.map((role) => role.permissions)].some((all) => all.includes(permission));
};
