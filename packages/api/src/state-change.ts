/** What a request for another state answers, and why it was refused (specification, section 3). */
import { Type } from 'typebox';
import { problemFields } from './problem.ts';
import * as v from './values.ts';

const ConditionPart = v.closed({
  text: Type.String({ description: 'A part of the condition, as it is written there.' }),
  value: Type.Unknown({ description: 'What it was when the request was judged.' }),
  error: Type.Optional(Type.String({ description: 'Why it has no value.' })),
});

export const TransitionExplanation = v.resource(
  'TransitionExplanation',
  'Whether one transition out of the current state can be taken now, and what speaks against it.',
  {
    id: v.Id,
    uri: v.Uri,
    destination_state: v.Ref,
    by: v.oneOf(['person', 'engine', 'both'], { description: 'Who may take this transition.' }),
    allowed: Type.Boolean(),
    condition: Type.String(),
    condition_parts: Type.Array(ConditionPart),
    missing_permission: v.nullable(Type.String()),
    reason: Type.String({ description: 'Why it cannot be taken; empty if it can.' }),
  },
);

export const OpenExecution = v.closed({
  id: v.Id,
  uri: v.Uri,
  callback: v.Label,
  status: Type.String(),
  since: v.Time,
});

export const StateRefusal = v.resource(
  'StateRefusal',
  'A problem that also explains each transition out of the current state.',
  {
    ...problemFields,
    code: v.oneOf(['state_not_found', 'no_transition', 'condition_not_met', 'experiment_changed', 'subject_withdrawn']),
    transitions: Type.Array(TransitionExplanation),
    open_executions: Type.Array(OpenExecution),
  },
);

export const StateChangeResult = v.resource('StateChangeResult', 'Whether the state was changed, and the state now.', {
  success: Type.Boolean(),
  error: v.nullable(StateRefusal),
  state: v.Ref,
});
