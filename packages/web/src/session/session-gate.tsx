/** The frame for those who are signed in, and the sign-in for all others, at the same address: one stays where one was. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, type ReactNode } from 'react';
import { Loading } from '../shown/loading.tsx';
import { ProblemNote } from '../shown/problem-note.tsx';
import { entrances } from './entrances.tsx';
import { followOtherTabs } from './other-tabs.ts';
import { SessionContext } from './session-context.ts';
import { sessionQuery } from './session-query.ts';
import { SignInPage } from './sign-in-page.tsx';
import styles from './session.module.css';

export function SessionGate({ children }: { children: ReactNode }) {
  const Entrance = entrances[window.location.pathname];
  if (!Entrance) return <Inside>{children}</Inside>;
  return (
    <Suspense fallback={null}>
      <Entrance />
    </Suspense>
  );
}

function Inside({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const session = useQuery(sessionQuery);
  useEffect(() => followOtherTabs(queryClient), [queryClient]);
  if (session.data) return <SessionContext value={session.data}>{children}</SessionContext>;
  if (session.data === null) return <SignInPage />;
  return (
    <main className={styles['middle']}>
      {session.error ? (
        <ProblemNote error={session.error} onRetry={() => void session.refetch()} />
      ) : (
        <Loading what="Milepost" />
      )}
    </main>
  );
}
