/** Shows the application to signed-in users and the sign-in form to others. The URL stays the same. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, type ComponentType, type ReactNode } from 'react';
import { paths } from '../paths.ts';
import { Loading } from '../ui/placeholders.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { followOtherTabs } from './other-tabs.ts';
import { SessionContext } from './session-context.ts';
import { sessionQuery } from './session-query.ts';
import { SignInPage } from './sign-in-page.tsx';
import styles from './session.module.css';

/** The pages that need no session. Each loads on demand. */
const publicPages: Readonly<Record<string, ComponentType>> = {
  [paths.forgotPassword]: lazy(async () => ({
    default: (await import('./forgot-password-page.tsx')).ForgotPasswordPage,
  })),
  [paths.resetPassword]: lazy(async () => ({
    default: (await import('./reset-password-page.tsx')).ResetPasswordPage,
  })),
};

export function SessionGate({ children }: { children: ReactNode }) {
  const Public = publicPages[window.location.pathname];
  if (!Public) return <SignedIn>{children}</SignedIn>;
  return (
    <Suspense fallback={null}>
      <Public />
    </Suspense>
  );
}

function SignedIn({ children }: { children: ReactNode }) {
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
