/** One user: profile, status, roles and API tokens. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery, type BodyOf } from '../../api/operation-query.ts';
import { paths } from '../../paths.ts';
import { displayName } from '../../people/display-name.ts';
import { ChangeUser } from '../../people/change-user.tsx';
import { TokensSection } from '../../people/tokens-section.tsx';
import { usePermission, useSession } from '../../session/session-context.ts';
import { Answer } from '../../shown/answer.tsx';
import { Crumbs } from '../../shown/crumbs.tsx';
import { Facts } from '../../shown/facts.tsx';
import { Moment } from '../../shown/moment.tsx';
import { Name } from '../../shown/name.tsx';
import { PageHead } from '../../shown/page-head.tsx';
import { Section } from '../../shown/section.tsx';
import { useTitle } from '../../shown/use-title.ts';
import { ResourcePage } from '../resource-page.tsx';
import { ActiveSwitch } from './active-switch.tsx';
import { RolesSection } from './roles-section.tsx';

export const UserPage = () => <ResourcePage of={(id) => <User key={id} id={id} />} />;

const userQuery = (id: number) =>
  operationQuery(
    'getUser',
    { params: { id } },
    ({ object_kind, object_id }) => object_kind === 'user' && object_id === id,
  );

function User({ id }: { id: number }) {
  const user = useQuery(userQuery(id));
  const name = user.data && displayName(user.data);
  useTitle(name);
  const { permissions } = useSession();
  const mayManageRoles = usePermission('roles_manage');
  const mayManageTokens = usePermission('token_manage');
  return (
    <>
      <Crumbs crumbs={[{ label: 'Users', to: paths.users }]} />
      <PageHead title={<bdi>{name ?? 'User'}</bdi>} about={user.data?.active === false ? inactiveText : undefined}>
        {user.data ? <Buttons user={user.data} /> : null}
      </PageHead>
      <Answer of={user} what="the user">
        {(data) => (
          <>
            <Profile user={data} />
            {mayManageRoles ? <RolesSection user={data} /> : null}
            {mayManageTokens ? (
              <TokensSection title="API tokens" userId={id} permissions={permissions} mayCreate={data.active} />
            ) : null}
          </>
        )}
      </Answer>
    </>
  );
}

function Buttons({ user }: { user: BodyOf<'getUser'> }) {
  const isSelf = useSession().user.id === user.id;
  const mayChange = usePermission('user_update_all');
  return (
    <>
      {mayChange || isSelf ? <ChangeUser user={user} /> : null}
      <ActiveSwitch user={user} />
    </>
  );
}

const inactiveText = 'Inactive. The user cannot sign in. Their changes stay in the history under their name.';

const Profile = ({ user: { name, username, email, create_time } }: { user: BodyOf<'getUser'> }) => (
  <Section title="Profile">
    <Facts
      facts={[
        ['Name', name === '' ? '—' : <Name text={name} />],
        ['Username', <Name text={username} />],
        ['E-mail', <Name text={email} />],
        ['Added', <Moment at={create_time} as="past" />],
      ]}
    />
  </Section>
);
