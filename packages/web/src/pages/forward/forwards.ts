/**
 * What has an address in the interface and no page of its own is shown on the page of what it belongs to: a state in
 * the graph of its workflow. One line for each says where, if need be by way of another one.
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
