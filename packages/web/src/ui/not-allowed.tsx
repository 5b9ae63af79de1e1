/** Instead of a form whose request the server would reject. */
import type { Permission } from '../session/session-context.ts';
import { EmptyState } from './placeholders.tsx';

interface Props {
  /** What the user cannot do: `import spreadsheets`. */
  to: string;
  permission: Permission;
  /** A role in one cohort can have the permission. */
  inCohort?: boolean;
}

export const NotAllowed = ({ to, permission, inCohort = false }: Props) => (
  <EmptyState title={`You cannot ${to}.`}>
    You need the permission <code>{permission}</code>
    {inCohort ? ' in a cohort' : ''}. Ask an administrator for a role that has it.
  </EmptyState>
);
