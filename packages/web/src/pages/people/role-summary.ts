/** The roles of a user in the list of users: one line for each role, with its cohorts. */
import type { BodyOf } from '../../api/operation-query.ts';

export type RowRole = NonNullable<BodyOf<'listUserRows'>['users'][number]['roles']>[number];

const maxRoles = 3;

const cohortsText = ({ cohorts }: RowRole): string => {
  if (cohorts === null) return 'all cohorts';
  const labels = cohorts.first.map(({ label }) => label).join(', ');
  const more = cohorts.total - cohorts.first.length;
  return more > 0 ? `${labels} and ${more} more` : labels;
};

export interface RoleLine {
  role: string;
  /** After "in". */
  cohorts: string;
}

/** The page of the user has the others. */
export function roleLines(roles: readonly RowRole[]): { lines: RoleLine[]; more: number } {
  const lines = roles.slice(0, maxRoles).map((held) => ({ role: held.role.name, cohorts: cohortsText(held) }));
  return { lines, more: roles.length - lines.length };
}

/** For sorting. */
export const rolesText = (roles: readonly RowRole[]): string =>
  roles.map((held) => `${held.role.name} ${cohortsText(held)}`).join(' ');
