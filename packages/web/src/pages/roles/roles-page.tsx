/** Each role, and what it lets people do. */
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
        about="What people may do comes from the roles they have. Roles are made and changed by importing a configuration."
      />
      <Answer of={roles} what="roles">
        {(data) => <Chosen roles={data.roles} />}
      </Answer>
    </>
  );
}

function Chosen({ roles }: { roles: Roles }) {
  const wanted = useFilters().numberOf('role');
  const chosen = roles.find(({ id }) => id === wanted) ?? roles[0];
  if (!chosen) return <Empty title="There is no role." />;
  const tabs = roles.map(({ id, name }) => ({ name, to: `?role=${id}`, current: id === chosen.id }));
  return (
    <>
      <Tabs label="Roles" tabs={tabs} />
      <OneRole key={chosen.id} id={chosen.id} />
    </>
  );
}

function OneRole({ id }: { id: number }) {
  const role = useQuery(roleQuery(id));
  return (
    <Answer of={role} what="the role">
      {(data) => (
        <>
          {data.description === '' ? null : (
            <p className={styles['description']} dir="auto">
              {data.description}
            </p>
          )}
          <Permissions rows={rowsOf(data)} label={`What the role ${data.name} allows`} />
        </>
      )}
    </Answer>
  );
}

const rows = (names: readonly string[], held: boolean) =>
  names.map((name) => ({ name, words: permissionWords(name), held }));

/** Those that it has come first; one that this page does not know is among them. */
function rowsOf({ permissions }: Role) {
  const known = new Set<string>(allPermissions);
  const has = allPermissions.filter((one) => permissions.includes(one));
  const unknown = permissions.filter((one) => !known.has(one));
  const lacks = allPermissions.filter((one) => !permissions.includes(one));
  return [...rows([...has, ...unknown], true), ...rows(lacks, false)];
}
