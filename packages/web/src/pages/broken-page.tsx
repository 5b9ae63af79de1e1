import { Button } from '@mantine/core';
import { useRouteError } from 'react-router';
import { ProblemNote } from '../shown/problem-note.tsx';
import { useTitle } from '../shown/use-title.ts';

/** Shown when a page throws or its script cannot be loaded, for example because the server was upgraded. */
export function BrokenPage() {
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
export const BrokenFrame = () => (
  <main>
    <BrokenPage />
  </main>
);
