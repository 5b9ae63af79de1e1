/** One's own account: who one is, the password, the tokens, and where one is signed in. */
import { ChangeUser } from '../../people/change-user.tsx';
import { TokensSection } from '../../people/tokens-section.tsx';
import { useSession } from '../../session/session-context.ts';
import type { Session } from '../../session/session-query.ts';
import { Facts } from '../../shown/facts.tsx';
import { Name } from '../../shown/name.tsx';
import { PageHead } from '../../shown/page-head.tsx';
import { Section } from '../../shown/section.tsx';
import { useTitle } from '../../shown/use-title.ts';
import { OwnSessions } from './own-sessions.tsx';
import { PasswordForm } from './password-form.tsx';

export function AccountPage() {
  useTitle('Your account');
  const { user, has_password, roles, permissions, cohort_roles } = useSession();
  const held = [...permissions, ...cohort_roles.flatMap((role) => role.permissions)];
  return (
    <>
      <PageHead title="Your account" about={has_password ? byOthers : byOthersWithoutPassword} />
      <Section title="Who you are" aside={<ChangeUser user={user} />}>
        <Facts
          facts={[
            ['Name', user.name === '' ? '—' : <Name text={user.name} />],
            ['Username', <Name text={user.username} />],
            ['E-mail', <Name text={user.email} />],
            ['Roles', roles.length === 0 ? 'none' : <Name text={roles.join(', ')} />],
            ...rolesForCohorts(cohort_roles),
          ]}
        />
      </Section>
      {has_password ? <PasswordForm /> : null}
      <TokensSection title="Your tokens" userId={user.id} permissions={held} />
      <OwnSessions />
    </>
  );
}

const byOthers = 'Your username and your roles are changed by an administrator.';
/** The password is what proves who one is when those change. */
const byOthersWithoutPassword =
  'You sign in without a password here. Your username, your e-mail and your roles are changed by an administrator.';

/** One fact for each cohort. */
function rolesForCohorts(held: Session['cohort_roles']) {
  const byCohort = Map.groupBy(held, ({ cohort }) => cohort.label);
  return [...byCohort].map(
    ([label, all]) =>
      [`Roles for ${label}`, <Name key={label} text={all.map(({ role }) => role).join(', ')} />] as const,
  );
}
