/**
 * Resources that have a `web_uri` but no page of their own, and the page that shows them: a state, for example, is shown in
 * the graph of its workflow. A target can be another redirect.
 */
import { useQuery } from '@tanstack/react-query';
import { Navigate, useLocation } from 'react-router';
import { client } from '../api/client.ts';
import { paths } from '../paths.ts';
import { PageHead, useTitle } from '../ui/page-layout.tsx';
import { QueryResult } from '../ui/query-result.tsx';
import { ResourcePage } from './resource-page.tsx';

type Call = { params: { id: number }; signal: AbortSignal };
type Target = (call: Call) => Promise<string>;

const redirects = {
  states: async (call) => {
    const { id, workflow } = await client.getState({ ...call, fields: '{id,workflow}' });
    return `${paths.workflow(workflow.id)}?state=${id}`;
  },
  transitions: async (call) =>
    paths.state((await client.getTransition({ ...call, fields: '{destination_state}' })).destination_state.id),
  callbacks: async (call) => paths.state((await client.getCallback({ ...call, fields: '{state}' })).state.id),
  scans: async (call) => paths.experiment((await client.getScan({ ...call, fields: '{experiment}' })).experiment.id),
  external_systems: () => Promise.resolve(paths.externalSystems),
} satisfies Record<string, Target>;

type RedirectName = keyof typeof redirects;

/** Redirects to another page and replaces this one in the browser's history. */
export function RedirectPage() {
  const name = useLocation().pathname.split('/')[1] as RedirectName;
  return <ResourcePage of={(id) => <Redirect key={`${name} ${id}`} name={name} id={id} />} />;
}

function Redirect({ name, id }: { name: RedirectName; id: number }) {
  useTitle(undefined);
  const target = useQuery({
    queryKey: ['redirect', name, id],
    queryFn: ({ signal }) => redirects[name]({ params: { id }, signal }),
  });
  return (
    <>
      {target.error ? <PageHead title="Cannot open this page" /> : null}
      <QueryResult query={target} what="the page">
        {(to) => <Navigate to={to} replace />}
      </QueryResult>
    </>
  );
}
