/** What the import of a workflow answers: the workflow, or with `dry_run` the plan. */
import { Type } from 'typebox';
import * as v from './values.ts';

export const ImportFinding = v.resource('ImportFinding', 'Something about the file that deserves a look.', {
  message: Type.String(),
  line: v.nullable(Type.Integer({ minimum: 1 })),
  column: v.nullable(Type.Integer({ minimum: 1 })),
});

const outcome = v.oneOf(['new', 'changed', 'identical'], {
  description: '`identical`: the definition says what the living one says, and nothing changes.',
});

export const WorkflowImport = v.resource('WorkflowImport', 'The imported workflow.', {
  ...v.Ref.properties,
  outcome,
  revision: Type.Integer({ minimum: 1, description: 'Rises with each import that changes something.' }),
  warnings: Type.Array(ImportFinding),
});

const names = Type.Array(Type.String());
const Changes = v.closed({
  added: names,
  changed: names,
  retired: names,
  revived: { ...names, description: 'Retired before; they return under their ids.' },
});

const AffectedState = v.closed({
  state: v.Label,
  experiments: Type.Integer({ minimum: 0, description: 'How many experiments are in it now.' }),
  open_executions: Type.Integer({ minimum: 0, description: 'How many of their callback executions are not resolved.' }),
  goes_to: v.nullable({ ...v.Label, description: 'Where `state_map` sends them. Null: they stay.' }),
});

export const WorkflowPlan = v.resource('WorkflowPlan', 'What an import would do.', {
  label: v.Label,
  outcome,
  initial: v.closed(
    { before: v.nullable(v.Label), after: v.Label },
    { description: 'The state in which new experiments start.' },
  ),
  states: { ...Changes, description: 'By label.' },
  callbacks: { ...Changes, description: 'As `state / callback`.' },
  transitions: { ...Changes, description: 'As `source -> destination`, with a number from the second of a pair on.' },
  affected_states: Type.Array(AffectedState, {
    description: 'States that go, change, or have a callback or a way out that does.',
  }),
  strands_experiments: Type.Boolean({ description: 'True: the import would be refused without a `state_map`.' }),
  warnings: Type.Array(ImportFinding),
});
