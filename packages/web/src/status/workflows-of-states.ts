import type { BodyOf } from '../api/operation-query.ts';

type Looks = Pick<BodyOf<'getStateLooks'>, 'states'>;

/** The workflows of these states, in their order. States that are not known are left out. */
export function workflowsOf(states: readonly { id: number }[], looks: Looks): number[] {
  const known = new Map(looks.states.map(({ id, workflow_id: workflowId }) => [id, workflowId]));
  return [...new Set(states.flatMap(({ id }) => known.get(id) ?? []))].toSorted((one, other) => one - other);
}
