/** The frame for users without any permission: their own account, and a message that says whom to ask. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from 'react-router';
import { paths } from '../paths.ts';
import { useSession } from '../session/session-context.ts';
import { sessionQuery } from '../session/session-query.ts';
import { Announcements } from '../ui/announcements.tsx';
import { Name } from '../ui/name.tsx';
import { PageHead, useTitle } from '../ui/page-layout.tsx';
import { EmptyState } from '../ui/placeholders.tsx';
import { PageTooltip } from '../ui/tooltip.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Home } from './navigation.tsx';
import styles from './frame.module.css';

export const NoAccessFrame = () => (
  <>
    <header className={styles['header']} data-bare>
      <Home />
      <AccountMenu />
    </header>
    <main className={styles['main']}>{useLocation().pathname === paths.account ? <Outlet /> : <NoAccessPage />}</main>
    <Announcements />
    <PageTooltip />
  </>
);

function NoAccessPage() {
  useTitle('No access yet');
  const { user } = useSession();
  const { refetch, isFetching } = useQuery(sessionQuery);
  return (
    <>
      <PageHead title="No access yet" />
      <EmptyState title="Your account has no permission to read study data.">
        Ask an administrator to assign a role to the user <Name text={user.username} />.
      </EmptyState>
      <Button loading={isFetching} onClick={() => void refetch()}>
        Check again
      </Button>
    </>
  );
}
