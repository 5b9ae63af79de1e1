/** The kinds of bulk operations that the user may start in some cohort. The server checks each experiment. */
import { bulkKinds, bulkPermissions, type BulkKind } from '@milepost/api';
import { useSession } from '../session/session-context.ts';

export function useBulkKinds(): BulkKind[] {
  const { permissions, cohort_roles } = useSession();
  const held = new Set([...permissions, ...cohort_roles.flatMap((role) => role.permissions)]);
  return bulkKinds.filter((kind) => held.has(bulkPermissions[kind]));
}
