/** The roles of a user, for all cohorts or for single ones, which can be assigned and removed here. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { Name, NameLink } from '../../ui/name.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { MutedText, Section } from '../../ui/section.tsx';
import { AssignRoleDialog } from './assign-role-dialog.tsx';
import { RemoveRoleDialog } from './remove-role-dialog.tsx';
import { userRolesQuery, type UserRole } from './user-queries.ts';
import styles from './people.module.css';

const columnsFor = (onRemove: (held: UserRole) => void): readonly Column<UserRole>[] => [
  {
    id: 'role',
    header: 'Role',
    names: true,
    width: '32%',
    text: ({ role }) => role.name,
    cell: ({ role }) => <NameLink text={role.name} to={`${paths.roles}?role=${role.id}`} />,
  },
  {
    id: 'cohorts',
    header: 'Cohorts',
    text: ({ cohort }) => cohort?.label ?? 'All cohorts',
    cell: ({ cohort }) =>
      cohort ? (
        <Link className={styles['cohort']} to={paths.cohort(cohort.id)}>
          <Name text={cohort.label} />
        </Link>
      ) : (
        'All cohorts'
      ),
  },
  {
    id: 'remove',
    header: 'Remove role',
    control: true,
    width: '88px',
    text: () => '',
    cell: (held) => (
      <Button
        variant="subtle"
        onClick={() => onRemove(held)}
        aria-label={`Remove role ${held.role.name} ${held.cohort ? `in ${held.cohort.label}` : 'for all cohorts'}`}
      >
        Remove…
      </Button>
    ),
  },
];

interface Props {
  user: { id: number; name: string; username: string };
}

const hasBothScopes = (roles: readonly UserRole[]): boolean =>
  roles.some(({ cohort }) => cohort === null) && roles.some(({ cohort }) => cohort !== null);

export function RolesSection({ user }: Props) {
  const held = useQuery(userRolesQuery(user.id));
  const [isAssigning, setIsAssigning] = useState(false);
  const [removing, setRemoving] = useState<UserRole>();
  const assign = <Button onClick={() => setIsAssigning(true)}>Assign role…</Button>;
  return (
    <Section title="Roles" aside={assign}>
      <QueryResult query={held} what="roles">
        {({ roles }) =>
          roles.length === 0 ? (
            <MutedText>No roles. The user can sign in but sees no study data.</MutedText>
          ) : (
            <>
              <DataTable
                label="Roles"
                columns={columnsFor(setRemoving)}
                rows={roles}
                rowKey={({ role, cohort }) => `${role.id} ${cohort?.id ?? 'all'}`}
              />
              {hasBothScopes(roles) ? (
                <p>A role for all cohorts applies everywhere. Roles in individual cohorts do not limit it.</p>
              ) : null}
            </>
          )
        }
      </QueryResult>
      <AssignRoleDialog user={user} opened={isAssigning} onClose={() => setIsAssigning(false)} />
      <RemoveRoleDialog user={user} held={removing} onClose={() => setRemoving(undefined)} />
    </Section>
  );
}
