import { Button } from '@mantine/core';
import { useRouteError } from 'react-router';
import { ProblemNote } from '../shown/problem-note.tsx';
import { useTitle } from '../shown/use-title.ts';

/** A page that threw, or whose file could not be fetched: for example because the server was upgraded meanwhile. */
export function BrokenPage() {
  useTitle('Something went wrong');
  const error = useRouteError();
  return (
    <>
      <ProblemNote error={error} />
      <p>
        <Button mt={16} onClick={() => window.location.reload()}>
          Load the page again
        </Button>
      </p>
    </>
  );
}

/** Where the frame itself is broken, which else stands around it. */
export const BrokenFrame = () => (
  <main>
    <BrokenPage />
  </main>
);
