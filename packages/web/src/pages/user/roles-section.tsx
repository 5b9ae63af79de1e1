/** The roles of a user, each for all cohorts or for a named one; given and taken here. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { Answer } from '../../shown/answer.tsx';
import { Name, NameLink } from '../../shown/name.tsx';
import { Nothing, Section } from '../../shown/section.tsx';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { GiveRoleDialog } from './give-role-dialog.tsx';
import { heldRolesQuery, type HeldRole } from './held-roles.ts';
import { TakeRoleDialog } from './take-role-dialog.tsx';
import styles from './user.module.css';

const columnsFor = (onTake: (held: HeldRole) => void): readonly Column<HeldRole>[] => [
  {
    id: 'role',
    header: 'Role',
    names: true,
    width: '32%',
    text: ({ role }) => role.name,
    cell: ({ role }) => <NameLink text={role.name} to={`${paths.roles}?role=${role.id}`} />,
  },
  {
    id: 'where',
    header: 'For',
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
    id: 'take',
    header: 'Take it',
    control: true,
    width: '72px',
    text: () => '',
    cell: (held) => (
      <Button
        variant="subtle"
        onClick={() => onTake(held)}
        aria-label={`Take the role ${held.role.name} for ${held.cohort?.label ?? 'all cohorts'}`}
      >
        Take…
      </Button>
    ),
  },
];

interface Props {
  user: { id: number; name: string; username: string };
}

const isForBoth = (roles: readonly HeldRole[]): boolean =>
  roles.some(({ cohort }) => cohort === null) && roles.some(({ cohort }) => cohort !== null);

export function RolesSection({ user }: Props) {
  const held = useQuery(heldRolesQuery(user.id));
  const [giving, setGiving] = useState(false);
  const [taking, setTaking] = useState<HeldRole>();
  const give = <Button onClick={() => setGiving(true)}>Give a role…</Button>;
  return (
    <Section title="Roles" aside={give}>
      <Answer of={held} what="roles">
        {({ roles }) =>
          roles.length === 0 ? (
            <Nothing>No role: may sign in, but see no study data.</Nothing>
          ) : (
            <>
              <DataTable
                label="Roles"
                columns={columnsFor(setTaking)}
                rows={roles}
                rowKey={({ role, cohort }) => `${role.id} ${cohort?.id ?? 'all'}`}
              />
              {isForBoth(roles) ? <p>A role for all cohorts opens every one, whatever is given for some.</p> : null}
            </>
          )
        }
      </Answer>
      <GiveRoleDialog user={user} opened={giving} onClose={() => setGiving(false)} />
      <TakeRoleDialog user={user} held={taking} onClose={() => setTaking(undefined)} />
    </Section>
  );
}
