/** All roles and their permissions. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery, type BodyOf } from '../../api/operation-query.ts';
import { useFilters } from '../../filters/use-filters.ts';
import { allPermissions, permissionWords } from '../../people/permission-words.ts';
import { Answer } from '../../shown/answer.tsx';
import { Empty } from '../../shown/empty.tsx';
import { PageHead } from '../../shown/page-head.tsx';
import { Tabs } from '../../shown/tabs.tsx';
import { useTitle } from '../../shown/use-title.ts';
import { Permissions } from './permissions.tsx';
import styles from './roles.module.css';

type Roles = BodyOf<'listRoles'>['roles'];
type Role = BodyOf<'getRole'>;

const rolesQuery = operationQuery('listRoles', {}, ({ object_kind }) => object_kind === 'role');

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
      <Answer of={roles} what="roles">
        {(data) => <SelectedRole roles={data.roles} />}
      </Answer>
    </>
  );
}

function SelectedRole({ roles }: { roles: Roles }) {
  const roleId = useFilters().numberOf('role');
  const selected = roles.find(({ id }) => id === roleId) ?? roles[0];
  if (!selected) return <Empty title="No roles yet." />;
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
    <Answer of={role} what="the role">
      {(data) => (
        <>
          {data.description === '' ? null : (
            <p className={styles['about']} dir="auto">
              {data.description}
            </p>
          )}
          <Permissions rows={rowsOf(data)} label={`Permissions of the role ${data.name}`} />
        </>
      )}
    </Answer>
  );
}

const rows = (names: readonly string[], held: boolean) =>
  names.map((name) => ({ name, description: permissionWords(name), held }));

/** The permissions of the role come first, including any that this page does not know. */
function rowsOf({ permissions }: Role) {
  const known = new Set<string>(allPermissions);
  const has = allPermissions.filter((one) => permissions.includes(one));
  const unknown = permissions.filter((one) => !known.has(one));
  const lacks = allPermissions.filter((one) => !permissions.includes(one));
  return [...rows([...has, ...unknown], true), ...rows(lacks, false)];
}
