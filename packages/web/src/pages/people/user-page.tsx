/** One user: profile, status, roles and API tokens. */
import { useQuery } from '@tanstack/react-query';
import type { BodyOf } from '../../api/operation-query.ts';
import { paths } from '../../paths.ts';
import { usePermission, useSession } from '../../session/session-context.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Name } from '../../ui/name.tsx';
import { Breadcrumbs, PageHead, useTitle } from '../../ui/page-layout.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Section } from '../../ui/section.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { ResourcePage } from '../resource-page.tsx';
import { ActiveSwitch } from './active-switch.tsx';
import { EditUser } from './edit-user.tsx';
import { RolesSection } from './roles-section.tsx';
import { TokensSection } from './tokens-section.tsx';
import { displayName } from './user-data.ts';
import { userQuery } from './user-queries.ts';

export const UserPage = () => <ResourcePage of={(id) => <User key={id} id={id} />} />;

function User({ id }: { id: number }) {
  const user = useQuery(userQuery(id));
  const name = user.data && displayName(user.data);
  useTitle(name);
  const mayManageRoles = usePermission('roles_manage');
  const mayManageTokens = usePermission('token_manage');
  return (
    <>
      <Breadcrumbs crumbs={[{ label: 'Users', to: paths.users }]} />
      <PageHead title={<bdi>{name ?? 'User'}</bdi>} about={user.data?.active === false ? inactiveText : undefined}>
        {user.data ? <Buttons user={user.data} /> : null}
      </PageHead>
      <QueryResult query={user} what="the user">
        {(data) => (
          <>
            <Profile user={data} />
            {mayManageRoles ? <RolesSection user={data} /> : null}
            {mayManageTokens ? <TokensSection title="API tokens" owner={data} mayCreate={data.active} /> : null}
          </>
        )}
      </QueryResult>
    </>
  );
}

function Buttons({ user }: { user: BodyOf<'getUser'> }) {
  const isSelf = useSession().user.id === user.id;
  const mayChange = usePermission('user_update_all');
  return (
    <>
      {mayChange || isSelf ? <EditUser user={user} /> : null}
      <ActiveSwitch user={user} />
    </>
  );
}

const inactiveText = 'Inactive. The user cannot sign in. Their changes stay in the history under their name.';

const Profile = ({ user: { name, username, email, create_time } }: { user: BodyOf<'getUser'> }) => (
  <Section title="Profile">
    <DescriptionList
      items={[
        ['Name', name === '' ? '—' : <Name text={name} />],
        ['Username', <Name text={username} />],
        ['E-mail', <Name text={email} />],
        ['Added', <Timestamp at={create_time} as="past" />],
      ]}
    />
  </Section>
);
