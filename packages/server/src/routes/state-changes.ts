/** How a request for another state is answered, and how each way out of a state is explained (rule 8). */
import { problemCodes, type StateChangeResult, type TransitionExplanation } from '@milepost/api';
import type { Static } from 'typebox';
import { openExecutions, type StateChange } from '../engine/change-state.ts';
import { explainTransitions, type TransitionVerdict } from '../engine/explain-transitions.ts';
import type { Seen } from '../engine/settle.ts';
import { ok, type Answer, type Call } from '../http/call.ts';
import { scopeOf } from '../http/authorize.ts';
import type { Links } from '../links.ts';
import type { MoveInputs } from '../store/move-inputs.ts';
import { holdsCohort } from '../store/scope.ts';

type Shown = Pick<Call, 'links' | 'author'>;

export function showStateChange(call: Shown, change: StateChange): Answer<Static<typeof StateChangeResult>> {
  const state = call.links.ref('states', change.state);
  // A move raises the version once.
  if (!change.refusal) return ok({ success: true, error: null, state }, change.inputs.version + 1);
  return {
    status: problemCodes[change.refusal.code].status,
    body: { success: false, error: refusalOf(call, change, change.refusal), state },
  };
}

function refusalOf(
  { links, author }: Shown,
  { inputs, verdicts }: StateChange,
  { code, detail }: NonNullable<StateChange['refusal']>,
) {
  const { status, title } = problemCodes[code];
  return {
    type: `urn:milepost:problem:${code}`,
    title,
    status,
    detail,
    instance: `${links.uri('experiments', inputs.id)}/state`,
    code,
    errors: [],
    request_id: author.requestId ?? '',
    transitions: verdicts.map((verdict) => showVerdict(links, verdict)),
    open_executions: showOpenExecutions(links, inputs),
  };
}

const showVerdict = (links: Links, verdict: TransitionVerdict): Static<typeof TransitionExplanation> => ({
  id: verdict.transition.id,
  uri: links.uri('transitions', verdict.transition.id),
  destination_state: links.ref('states', verdict.transition.destination),
  by: verdict.transition.by,
  allowed: verdict.allowed,
  condition: verdict.transition.condition,
  condition_parts: verdict.conditionParts,
  missing_permission: verdict.missingPermission,
  reason: verdict.reason,
});

const showOpenExecutions = (links: Links, inputs: MoveInputs) =>
  openExecutions(inputs).map(({ id, callback, status, since }) => ({
    id,
    uri: links.uri('callback_executions', id),
    callback,
    status,
    since,
  }));

/** Each way out of the state as the caller may take it, and what is still open. */
export function waysOn({ account, links }: Pick<Call, 'account' | 'links'>, { inputs, state }: Seen) {
  const mayMove = holdsCohort(scopeOf(account, 'sample_state_update'), inputs.cohort_id);
  const missingPermission = mayMove ? null : 'sample_state_update';
  const verdicts = explainTransitions(state, inputs, { mover: 'person', missingPermission });
  return {
    transitions: verdicts.map((verdict) => showVerdict(links, verdict)),
    open_executions: showOpenExecutions(links, inputs),
  };
}
