/** One's own account: who one is, the password, and where one is signed in. */
import { useSession } from '../../session/session-context.ts';
import { Facts } from '../../shown/facts.tsx';
import { Name } from '../../shown/name.tsx';
import { PageHead } from '../../shown/page-head.tsx';
import { Section } from '../../shown/section.tsx';
import { useTitle } from '../../shown/use-title.ts';
import { OwnSessions } from './own-sessions.tsx';
import { PasswordForm } from './password-form.tsx';

export function AccountPage() {
  useTitle('Your account');
  const { user, roles } = useSession();
  return (
    <>
      <PageHead title="Your account" about="Your username and your roles are changed by an administrator." />
      <Section title="Who you are">
        <Facts
          facts={[
            ['Name', user.name === '' ? '—' : <Name text={user.name} />],
            ['Username', <Name text={user.username} />],
            ['E-mail', <Name text={user.email} />],
            ['Roles', roles.length === 0 ? 'none' : <Name text={roles.join(', ')} />],
          ]}
        />
      </Section>
      <PasswordForm />
      <OwnSessions />
    </>
  );
}
