import { useQuery } from '@tanstack/react-query';
import { Navigate, useLocation } from 'react-router';
import { Answer } from '../../shown/answer.tsx';
import { PageHead } from '../../shown/page-head.tsx';
import { useTitle } from '../../shown/use-title.ts';
import { ResourcePage } from '../resource-page.tsx';
import { forwards, type ForwardName } from './forwards.ts';

/** Redirects to another page and replaces this one in the browser's history. */
export function ForwardPage() {
  const name = useLocation().pathname.split('/')[1] as ForwardName;
  return <ResourcePage of={(id) => <Forward key={`${name} ${id}`} name={name} id={id} />} />;
}

function Forward({ name, id }: { name: ForwardName; id: number }) {
  useTitle(undefined);
  const target = useQuery({
    queryKey: ['forward', name, id],
    queryFn: ({ signal }) => forwards[name]({ params: { id }, signal }),
  });
  return (
    <>
      {target.error ? <PageHead title="Cannot open this page" /> : null}
      <Answer of={target} what="the page">
        {(to) => <Navigate to={to} replace />}
      </Answer>
    </>
  );
}
