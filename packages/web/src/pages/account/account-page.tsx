/** The user's own account: profile, password, API tokens and sessions. */
import { useSession } from '../../session/session-context.ts';
import type { Session } from '../../session/session-query.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Name } from '../../ui/name.tsx';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { Section } from '../../ui/section.tsx';
import { EditUser } from '../people/edit-user.tsx';
import { TokensSection } from '../people/tokens-section.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { PasswordForm } from './password-form.tsx';

export function AccountPage() {
  useTitle('Your account');
  const { user, has_password, roles, cohort_roles } = useSession();
  return (
    <>
      <PageHead title="Your account" about={has_password ? aboutAccount : aboutAccountWithoutPassword} />
      <Section title="Profile" aside={<EditUser user={user} />}>
        <DescriptionList
          items={[
            ['Name', user.name === '' ? '—' : <Name text={user.name} />],
            ['Username', <Name text={user.username} />],
            ['E-mail', <Name text={user.email} />],
            ['Roles', roles.length === 0 ? 'None' : <Name text={roles.join(', ')} />],
            ...cohortRoleItems(cohort_roles),
          ]}
        />
      </Section>
      {has_password ? <PasswordForm /> : null}
      <TokensSection title="Your API tokens" owner={user} />
      <OwnSessions />
    </>
  );
}

const aboutAccount = 'An administrator can change your username and roles.';
/** Changing the e-mail requires the current password, so users without one cannot do it themselves. */
const aboutAccountWithoutPassword =
  'You sign in without a password. An administrator can change your username, e-mail and roles.';

function cohortRoleItems(cohortRoles: Session['cohort_roles']) {
  const byCohort = Map.groupBy(cohortRoles, ({ cohort }) => cohort.label);
  return [...byCohort].map(
    ([label, all]) =>
      [`Roles in ${label}`, <Name key={label} text={all.map(({ role }) => role).join(', ')} />] as const,
  );
}
