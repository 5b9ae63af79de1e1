import { Button } from '@mantine/core';
import { Link, useRouteError } from 'react-router';
import { paths } from '../paths.ts';
import { useTitle } from '../ui/page-layout.tsx';
import { EmptyState } from '../ui/placeholders.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';

/** Shown when a page throws or its script cannot be loaded, for example because the server was upgraded. */
export function ErrorPage() {
  useTitle('Something went wrong');
  const error = useRouteError();
  return (
    <>
      <ProblemNote error={error} />
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
      <EmptyState title="The page may have moved, or the link is incomplete.">
        <Link to={paths.attention}>Go to the start page</Link>
      </EmptyState>
    </>
  );
}
