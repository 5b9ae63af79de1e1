/**
 * Resources that have a `web_uri` but no page of their own, and the page that shows them: a state, for example, is shown in
 * the graph of its workflow. A target can be another forward.
 */
import { client } from '../../api/client.ts';
import { paths } from '../../paths.ts';

type Call = { params: { id: number }; signal: AbortSignal };
type Forward = (call: Call) => Promise<string>;

export const forwards = {
  states: async (call) => {
    const { id, workflow } = await client.getState({ ...call, fields: '{id,workflow}' });
    return `${paths.workflow(workflow.id)}?state=${id}`;
  },
  transitions: async (call) =>
    paths.state((await client.getTransition({ ...call, fields: '{destination_state}' })).destination_state.id),
  callbacks: async (call) => paths.state((await client.getCallback({ ...call, fields: '{state}' })).state.id),
  scans: async (call) => paths.experiment((await client.getScan({ ...call, fields: '{experiment}' })).experiment.id),
  external_systems: () => Promise.resolve(paths.externalSystems),
} satisfies Record<string, Forward>;

export type ForwardName = keyof typeof forwards;
