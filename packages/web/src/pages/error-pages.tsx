import { Button } from '@mantine/core';
import { Link, useRouteError } from 'react-router';
import { paths } from '../paths.ts';
import { useTitle } from '../ui/page-layout.tsx';
import { EmptyState } from '../ui/placeholders.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';

/** Browsers word it differently. The scripts of an earlier version are gone after an upgrade. */
const isMissingScript = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script failed|unable to preload/i.test(error.message);

/** Shown when a page throws or its script cannot be loaded. */
export function ErrorPage() {
  const error = useRouteError();
  const isUpgraded = isMissingScript(error);
  useTitle(isUpgraded ? 'Reload' : 'Something went wrong');
  return (
    <>
      {isUpgraded ? (
        <>
          <h1>Milepost was probably updated</h1>
          <p>This page is from the previous version, or the server could not be reached. Reload to continue.</p>
        </>
      ) : (
        <ProblemNote error={error} />
      )}
      <p>
        <Button mt={16} onClick={() => window.location.reload()}>
          Reload page
        </Button>
      </p>
    </>
  );
}

/** Shown when the frame around the pages fails. */
export const ErrorFrame = () => (
  <main>
    <ErrorPage />
  </main>
);

export function NotFoundPage() {
  useTitle('Page not found');
  return (
    <>
      <h1>Page not found</h1>
      <EmptyState
        title="The page may have moved, or the link is incomplete."
        actions={
          <Button component={Link} to={paths.attention}>
            Go to the start page
          </Button>
        }
      />
    </>
  );
}
