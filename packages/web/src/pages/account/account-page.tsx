/** One's own account: who one is, the password, and where one is signed in. */
import { useSession } from '../../session/session-context.ts';
import { Facts } from '../../shown/facts.tsx';
import { Name } from '../../shown/name.tsx';
import { PageHead } from '../../shown/page-head.tsx';
import { useTitle } from '../../shown/use-title.ts';
import { OwnSessions } from './own-sessions.tsx';
import { PasswordForm } from './password-form.tsx';
import styles from './account.module.css';

export function AccountPage() {
  useTitle('Your account');
  const { user, roles } = useSession();
  return (
    <>
      <PageHead title="Your account" about="Your username and your roles are changed by an administrator." />
      <section aria-labelledby="who" className={styles['section']}>
        <h2 id="who">Who you are</h2>
        <Facts
          facts={[
            { key: 'name', name: 'Name', value: user.name === '' ? '—' : <Name text={user.name} /> },
            { key: 'username', name: 'Username', value: <Name text={user.username} /> },
            { key: 'email', name: 'E-mail', value: <Name text={user.email} /> },
            { key: 'roles', name: 'Roles', value: roles.length === 0 ? 'none' : <Name text={roles.join(', ')} /> },
          ]}
        />
      </section>
      <PasswordForm />
      <OwnSessions />
    </>
  );
}
