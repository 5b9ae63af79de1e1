/** Responses of a workflow import: the workflow, or the plan of a dry run. */
import { Type } from 'typebox';
import * as v from '../values.ts';

export const ImportFinding = v.resource('ImportFinding', 'A warning about the file.', {
  code: v.nullable(
    Type.String({
      description: 'The kind of warning, for comments in the file. Null if it is not about the file alone.',
    }),
  ),
  message: Type.String(),
  line: v.nullable(Type.Integer({ minimum: 1 })),
  column: v.nullable(Type.Integer({ minimum: 1 })),
});

const outcome = v.oneOf(['new', 'changed', 'identical'], {
  description: '`identical`: the definition equals the current one, and nothing changes.',
});

export const WorkflowImport = v.resource('WorkflowImport', 'The imported workflow.', {
  ...v.Ref.properties,
  outcome,
  revision: Type.Integer({ minimum: 1, description: 'Increases with each change to the workflow.' }),
  warnings: Type.Array(ImportFinding),
});

const names = Type.Array(Type.String());
const Changes = v.closed({
  added: names,
  changed: names,
  retired: names,
  revived: { ...names, description: 'Previously retired, and restored with the same ids.' },
});

const AffectedState = v.closed({
  state: v.Label,
  experiments: Type.Integer({ minimum: 0, description: 'The number of experiments in the state.' }),
  open_executions: Type.Integer({ minimum: 0, description: 'The number of their open callback executions.' }),
  goes_to: v.nullable({ ...v.Label, description: 'The state to which `state_map` moves them. Null if they stay.' }),
});

export const WorkflowPlan = v.resource('WorkflowPlan', 'The effect of an import.', {
  label: v.Label,
  outcome,
  initial: v.closed(
    { before: v.nullable(v.Label), after: v.Label },
    { description: 'The state in which new experiments start.' },
  ),
  states: { ...Changes, description: 'Changes to states, each identified by its label.' },
  callbacks: { ...Changes, description: 'Changes to callbacks, each identified as `state / callback`.' },
  transitions: {
    ...Changes,
    description:
      'Changes to transitions, each identified as `source -> destination`. Further transitions between the same states ' +
      'are numbered, starting at 2.',
  },
  affected_states: Type.Array(AffectedState, {
    description: 'States that change or are removed, including changes to their callbacks or transitions.',
  }),
  strands_experiments: Type.Boolean({ description: 'True if the import fails without a `state_map`.' }),
  warnings: Type.Array(ImportFinding),
});
