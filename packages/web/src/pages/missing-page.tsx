import { Link } from 'react-router';
import { Empty } from '../shown/empty.tsx';
import { useTitle } from '../shown/use-title.ts';
import { paths } from '../paths.ts';

export function MissingPage() {
  useTitle('Page not found');
  return (
    <>
      <h1>Page not found</h1>
      <Empty title="The page may have moved, or the link is incomplete.">
        <Link to={paths.attention}>Go to the start page</Link>
      </Empty>
    </>
  );
}
