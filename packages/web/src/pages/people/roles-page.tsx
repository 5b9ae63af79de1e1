/** All roles: what each one is for, and a comparison of their permissions. */
import { useQuery } from '@tanstack/react-query';
import type { BodyOf } from '../../api/operation-query.ts';
import { useFilters } from '../../filters/use-filters.ts';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { NameLink } from '../../ui/name.tsx';
import { countOf } from '../../ui/numbers.ts';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Section } from '../../ui/section.tsx';
import { RoleComparison } from './role-comparison.tsx';
import { abilitiesText } from './role-text.ts';
import { rolesQuery } from './user-queries.ts';
import styles from './roles.module.css';

type Roles = BodyOf<'listRoleRows'>['roles'];
type Role = Roles[number];

export function RolesPage() {
  useTitle('Roles');
  const roles = useQuery(rolesQuery);
  return (
    <>
      <PageHead
        title="Roles"
        about="A role is a set of permissions. You assign roles to users, for all cohorts or for some."
      />
      <QueryResult query={roles} what="roles">
        {(data) => <AllRoles roles={data.roles} />}
      </QueryResult>
    </>
  );
}

function AllRoles({ roles }: { roles: Roles }) {
  const selected = useFilters().numberOf('role');
  if (roles.length === 0) {
    return <EmptyState title="No roles yet.">Import a configuration file to create roles.</EmptyState>;
  }
  return (
    <>
      <DataTable label="Roles" columns={columns} rows={roles} rowKey={({ id }) => String(id)} />
      <div className={styles['permissions']}>
        <Section title="Permissions">
          <p className={styles['about']}>
            Every permission includes reading study data. To create or change a role, import a configuration file.
          </p>
          <RoleComparison roles={roles} selected={selected} />
        </Section>
      </div>
    </>
  );
}

const purposeOf = ({ description, permissions }: Role): string =>
  description.trim() === '' ? abilitiesText(permissions) : description;

const columns: readonly Column<Role>[] = [
  {
    id: 'role',
    header: 'Role',
    names: true,
    width: '22%',
    text: ({ name }) => name,
    cell: ({ id, name }) => <NameLink text={name} to={`?role=${id}`} />,
  },
  {
    id: 'purpose',
    header: 'Purpose',
    text: purposeOf,
    cell: (role) => (
      <span className={styles['purpose']} dir="auto">
        {purposeOf(role)}
      </span>
    ),
  },
  {
    id: 'users',
    header: 'Users',
    align: 'right',
    width: '120px',
    text: ({ users }) => String(users),
    cell: ({ users }) => countOf(users, 'user'),
  },
];
