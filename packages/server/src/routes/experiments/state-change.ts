/** The response to a move, and the explanation of each transition out of a state (rule 8). */
import { problemCodes, type StateChangeResult, type TransitionExplanation } from '@milepost/api';
import type { Static } from 'typebox';
import { openExecutions, type RefusalCode, type StateChange } from '../../engine/experiments/change-state.ts';
import { explainTransitions, type TransitionVerdict } from '../../engine/experiments/explain-transitions.ts';
import type { Snapshot } from '../../engine/experiments/optimistic-lock.ts';
import type { StateModel } from '../../engine/experiments/workflow-model.ts';
import { problemObject } from '../../errors.ts';
import { ok, type Answer, type Call } from '../../http/call.ts';
import { scopeOf } from '../../http/access/authorize.ts';
import type { Links } from '../../links.ts';
import type { MoveInputs } from '../../store/experiments/move-inputs.ts';
import { includesCohort } from '../../store/scope.ts';

type Shown = Pick<Call, 'links' | 'author'>;

export function showStateChange(call: Shown, change: StateChange): Answer<Static<typeof StateChangeResult>> {
  const state = call.links.ref('states', change.state);
  // A move increments the version once.
  if (!change.refusal) return ok({ success: true, error: null, state }, change.inputs.version + 1);
  return {
    status: problemCodes[change.refusal.code].status,
    body: { success: false, error: showRefusal(call, change, change.refusal), state },
  };
}

function showRefusal(
  { links, author }: Shown,
  { inputs, verdicts }: StateChange,
  { code, detail, requested }: NonNullable<StateChange['refusal']>,
) {
  const instance = `${links.uri('experiments', inputs.id)}/state`;
  return {
    ...problemObject(code, { detail, instance, requestId: author.requestId ?? '' }),
    transitions: verdicts.map((verdict) => showVerdict(links, verdict)),
    open_executions: showOpenExecutions(links, inputs),
    errorclass: errorClasses[code],
    requested_state: requested.label,
    sourcestate: links.uri('states', inputs.state_id),
    ...(requested.id !== undefined && { targetstate: links.uri('states', requested.id) }),
  };
}

const errorClasses = {
  state_not_found: 'StateNotFoundError',
  no_transition: 'NoValidTransitionError',
  condition_not_met: 'ConditionNotMetError',
  experiment_changed: 'StateChangeError',
  subject_withdrawn: 'StateChangeError',
} as const satisfies Record<RefusalCode, string>;

const titleOf = ({ title, label }: StateModel) => title ?? label;

const showVerdict = (links: Links, verdict: TransitionVerdict): Static<typeof TransitionExplanation> => ({
  id: verdict.transition.id,
  uri: links.uri('transitions', verdict.transition.id),
  destination_state: links.ref('states', verdict.transition.destination),
  title: verdict.transition.title ?? titleOf(verdict.transition.destination),
  destination_title: titleOf(verdict.transition.destination),
  by: verdict.transition.by,
  allowed: verdict.allowed,
  condition: verdict.transition.condition,
  condition_parts: verdict.conditionParts.map(({ text, value, error = null }) => ({ text, value, error })),
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

/** The transitions out of the state, as the caller can take them, and the open executions. */
export function showTransitions({ account, links }: Pick<Call, 'account' | 'links'>, { inputs, state }: Snapshot) {
  const canMove = includesCohort(scopeOf(account, 'sample_state_update'), inputs.cohort_id);
  const missingPermission = canMove ? null : 'sample_state_update';
  const verdicts = explainTransitions(state, inputs, { mover: 'person', missingPermission });
  return {
    transitions: verdicts.map((verdict) => showVerdict(links, verdict)),
    open_executions: showOpenExecutions(links, inputs),
  };
}
