import { Link } from 'react-router';
import { Empty } from '../shown/empty.tsx';
import { useTitle } from '../shown/use-title.ts';
import { paths } from '../paths.ts';

export function MissingPage() {
  useTitle('No such page');
  return (
    <>
      <h1>There is nothing at this address</h1>
      <Empty title="The page may have moved, or the address was cut on its way here.">
        <Link to={paths.attention}>To what needs attention</Link>
      </Empty>
    </>
  );
}
