/**
 * Filters of our own lists that name an object or a change (docs/decisions/0004). A name that matches nothing is a mistake, so it
 * returns 400. An object that the caller cannot read is unknown in the same words. The lists of the specification return an empty
 * list instead.
 */
import { changeNames, nearestName, shortened, type Fault, type Permission } from '@milepost/api';
import { invalid } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { findUnknown, type NamedKind, type NamedObject } from '../store/named-objects.ts';

type NamedFilters = Readonly<Record<string, { kind: NamedKind; id: number | undefined }>>;

/** Callers that cannot list these objects must not learn which ids exist, so their filters are not checked. */
const requiredPermissions: Partial<Record<NamedKind, Permission>> = { user: 'user_read_all', role: 'roles_manage' };

/** The keys of `filters` are query parameters. */
export async function requireNamedObjects(
  { database, account }: Pick<Call, 'database' | 'account'>,
  filters: NamedFilters,
): Promise<void> {
  const mayKnow = (kind: NamedKind) => {
    const required = requiredPermissions[kind];
    return required === undefined || account.permissions.has(required);
  };
  const named = Object.entries(filters).flatMap(([parameter, { kind, id }]) =>
    id === undefined || !mayKnow(kind) ? [] : [{ parameter, kind, id }],
  );
  const unknown = await findUnknown(database.db, account.scope, named);
  if (unknown.length > 0) throw invalid(...unknown.map(unknownObject));
}

const unknownObject = ({ parameter, kind, id }: NamedObject & { parameter: string }): Fault => ({
  pointer: `?${parameter}`,
  detail: `No ${wordsOf(kind)} with id ${id}.`,
});

const wordsOf = (kind: NamedKind) => (kind === 'scantype' ? 'scan type' : kind.replaceAll('_', ' '));

/** For a filter by the operation or the rule of the engine that made a change. */
export function requireChangeName(parameter: string, name: string | undefined): void {
  if (name === undefined || changeNames.includes(name)) return;
  const nearest = nearestName(name, changeNames);
  throw invalid({
    pointer: `?${parameter}`,
    detail:
      `No ${parameter === 'kind' ? 'event kind' : parameter} "${shortened(name)}". ` +
      (nearest === undefined ? 'Use the name of an operation, such as "createCohort".' : `Did you mean "${nearest}"?`),
  });
}
