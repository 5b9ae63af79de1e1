/** All roles and their permissions. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery, type BodyOf } from '../../api/operation-query.ts';
import { useFilters } from '../../filters/use-filters.ts';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { allPermissions, permissionText, shownPermissions } from './permission-text.ts';
import { RolePermissions } from './role-permissions.tsx';
import { rolesQuery } from './user-queries.ts';
import styles from './roles.module.css';

type Roles = BodyOf<'listRoles'>['roles'];
type Role = BodyOf<'getRole'>;

const roleQuery = (id: number) =>
  operationQuery(
    'getRole',
    { params: { id } },
    ({ object_kind, object_id }) => object_kind === 'role' && object_id === id,
  );

export function RolesPage() {
  useTitle('Roles');
  const roles = useQuery(rolesQuery);
  return (
    <>
      <PageHead
        title="Roles"
        about="A role is a set of permissions. Import a configuration file to create or change roles."
      />
      <QueryResult query={roles} what="roles">
        {(data) => <SelectedRole roles={data.roles} />}
      </QueryResult>
    </>
  );
}

function SelectedRole({ roles }: { roles: Roles }) {
  const roleId = useFilters().numberOf('role');
  const selected = roles.find(({ id }) => id === roleId) ?? roles[0];
  if (!selected) return <EmptyState title="No roles yet." />;
  const tabs = roles.map(({ id, name }) => ({ name, to: `?role=${id}`, current: id === selected.id }));
  return (
    <>
      <Tabs label="Roles" tabs={tabs} />
      <RoleById key={selected.id} id={selected.id} />
    </>
  );
}

function RoleById({ id }: { id: number }) {
  const role = useQuery(roleQuery(id));
  return (
    <QueryResult query={role} what="the role">
      {(data) => (
        <>
          {data.description === '' ? null : (
            <p className={styles['about']} dir="auto">
              {data.description}
            </p>
          )}
          <RolePermissions rows={rowsOf(data)} label={`Permissions of the role ${data.name}`} />
        </>
      )}
    </QueryResult>
  );
}

const rows = (names: readonly string[], held: boolean) =>
  names.map((name) => ({ name, description: permissionText(name), held }));

/** The permissions of the role come first, including any that this page does not know. */
function rowsOf({ permissions }: Role) {
  const known = new Set<string>(allPermissions);
  const has = allPermissions.filter((one) => permissions.includes(one));
  const unknown = shownPermissions(permissions).filter((one) => !known.has(one));
  const lacks = allPermissions.filter((one) => !permissions.includes(one));
  return [...rows([...has, ...unknown], true), ...rows(lacks, false)];
}
