/** The response to a move, and the reason why it was rejected (specification, section 3). */
import { Type } from 'typebox';
import { problemFields } from '../problem.ts';
import * as v from '../values.ts';

const ConditionPart = v.closed({
  text: Type.String({ description: 'A part of the condition, as written.' }),
  value: Type.Unknown({ description: 'Its value when the condition was checked.' }),
  error: v.nullable(Type.String({ description: 'Why it could not be evaluated.' })),
});

export const TransitionExplanation = v.resource(
  'TransitionExplanation',
  'Whether a transition out of the current state can be taken now, and if not, why.',
  {
    id: v.Id,
    uri: v.Uri,
    destination_state: v.Ref,
    title: { ...v.Label, description: 'The title of the transition, or of its destination if it has none.' },
    destination_title: { ...v.Label, description: 'The title of the destination, or its label if it has none.' },
    by: v.oneOf(['person', 'engine', 'both'], { description: 'Who can take the transition.' }),
    allowed: Type.Boolean(),
    condition: Type.String(),
    condition_parts: Type.Array(ConditionPart),
    missing_permission: v.nullable(Type.String()),
    reason: Type.String({ description: 'Why the transition cannot be taken. Empty if it can.' }),
  },
);

export const OpenExecution = v.closed({
  id: v.Id,
  uri: v.Uri,
  callback: v.Label,
  status: Type.String(),
  since: v.Time,
});

/** The class names of Study Governor. StateChangeError is the base class, for reasons that it does not have. */
const errorClasses = [
  'StateNotFoundError',
  'NoValidTransitionError',
  'ConditionNotMetError',
  'StateChangeError',
] as const;

export const StateRefusal = v.resource(
  'StateRefusal',
  'A problem object that also explains each transition out of the current state.',
  {
    ...problemFields,
    code: v.oneOf(['state_not_found', 'no_transition', 'condition_not_met', 'experiment_changed', 'subject_withdrawn']),
    transitions: Type.Array(TransitionExplanation),
    open_executions: Type.Array(OpenExecution),
    errorclass: v.oneOf(errorClasses, { description: 'The code, for programs written for Study Governor.' }),
    requested_state: { ...v.Label, description: 'The label in the request.' },
    sourcestate: { ...v.Uri, description: 'The path of the current state.' },
    targetstate: Type.Optional({
      ...v.Uri,
      description: 'The path of the requested state. Absent if it does not exist.',
    }),
  },
);

export const StateChangeResult = v.resource(
  'StateChangeResult',
  'Whether the experiment moved, and its current state.',
  {
    success: Type.Boolean(),
    error: v.absentUnlessSet(StateRefusal),
    state: v.Ref,
  },
);
