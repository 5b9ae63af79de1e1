/** The schemas of bulk operations. */
import { Type } from 'typebox';
import { VariableName } from '../experiments/corrections.ts';
import { paceFields } from '../pace.ts';
import * as v from '../values.ts';
import { bulkKinds, bulkResults, bulkStatuses } from './choices.ts';

/** Groups of refusals in a response. */
export const shownRefusals = 100;
export const storedReason = 'The reason, which is stored with each change.';
export const Reason = Type.String({
  minLength: 1,
  maxLength: 10_000,
  description: storedReason,
});
export const Rate = Type.Integer({
  minimum: 1,
  maximum: 100_000,
  description: 'The most experiments changed in a second. An operator can set a lower limit for each operation.',
});

const valuesByName = 'For `set_variables`: the values by name.';

/** The change of each experiment. Each kind needs some of these fields. */
export const changeFields = {
  state: { ...v.Label, description: 'For `move` and `place`: the label of the state.' },
  run_callbacks: Type.Boolean({ description: 'For `place`: whether the callbacks of the state run.' }),
  variables: v.mapOf(Type.Unknown(), {
    description: valuesByName,
    propertyNames: VariableName,
    minProperties: 1,
  }),
  text: Type.String({ minLength: 1, maxLength: 10_000, description: 'For `note`: the text.' }),
};
export const Assignee = { ...v.Id, description: 'For `assign`: the user. Null removes the assignment.' };

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const BulkRefusal = v.resource('BulkRefusal', 'Experiments that are refused for the same reason.', {
  number: { ...v.Id, description: 'Identifies the reason within the operation.' },
  code: Type.String(),
  detail: Type.String(),
  experiments: count('How many are refused for it.'),
});

export const BulkOperation = v.resource('BulkOperation', 'One change to many experiments.', {
  id: v.Id,
  uri: v.Uri,
  kind: v.oneOf(bulkKinds),
  status: v.oneOf(bulkStatuses, {
    description:
      '`checking`: the dry run. `checked`: it can be applied. `running` and `paused`: it is being applied. `finished` or `stopped`: it has ended.',
  }),
  stopped_because: {
    ...v.nullable(Type.String()),
    description: 'Why it stopped before its end. Null if it did not, or if a user stopped it.',
  },
  query: { ...v.nullable(Type.String()), description: 'The query that chose the experiments. Null if ids did.' },
  refused_of: { ...v.nullable(v.Id), description: 'The operation whose refused experiments it repeats.' },
  state: v.nullable(changeFields.state),
  run_callbacks: v.nullable(changeFields.run_callbacks),
  variables: v.nullable(v.mapOf(Type.Unknown(), { description: valuesByName })),
  user_id: v.nullable(Assignee),
  text: v.nullable(changeFields.text),
  applied: Type.Boolean({
    description: 'Whether it changes experiments, now or after the check. False for a dry run that was not applied.',
  }),
  reason: { ...Type.String(), description: 'The reason. Empty until it is applied.' },
  rate: Rate,
  author: v.UserName,
  experiments: count('The experiments that it found so far.'),
  ready: count('Those that are not changed yet and would succeed.'),
  done: count('Those that were changed.'),
  refused: count('Those that were refused.'),
  refusals: Type.Array(BulkRefusal, {
    description: `The reasons, most frequent first. At most ${shownRefusals}.`,
  }),
  ...paceFields('experiments it changes'),
  created_at: v.Time,
  checked_at: v.nullable(v.Time),
  started_at: v.nullable(v.Time),
  ended_at: v.nullable(v.Time),
});

export const BulkItem = v.resource('BulkItem', 'An experiment of a bulk operation.', {
  number: { ...v.Id, description: 'Its place in the operation.' },
  experiment_id: v.Id,
  experiment: { ...v.nullable(v.Ref), description: 'Null if it does not exist or you cannot read it.' },
  result: v.oneOf(bulkResults),
  code: { ...v.nullable(Type.String()), description: 'Why it was refused.' },
  detail: v.nullable(Type.String()),
});
