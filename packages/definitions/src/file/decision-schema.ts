/** The `decision` of a state in a file: the time for it, the values that matter, and a small form whose answers become variables. */
import { Duration, fieldTypes, Title, Unit, values as v } from '@milepost/api';
import { Type, type TSchema } from 'typebox';

const maxParts = 20;
const maxChoices = 50;

const optional = <S extends TSchema>(schema: S, description: string) => Type.Optional({ ...schema, description });
const titled = { title: optional(Title, 'Shown to users. Default: the name of the variable.') };

const Shown = v.closed({
  variable: { ...v.Label, description: 'The name of a variable of the experiment.' },
  ...titled,
  unit: optional(Unit, 'The unit of the value, such as mm.'),
  min: optional(Type.Number(), 'The smallest value within the limits.'),
  max: optional(Type.Number(), 'The largest value within the limits.'),
});

const Field = v.closed({
  variable: { ...v.Label, description: 'The variable that the answer sets.' },
  ...titled,
  type: { ...v.oneOf(fieldTypes), description: `The type of the answer: ${fieldTypes.join(', ')}.` },
  required: optional(Type.Boolean(), 'Whether a move needs an answer. Default: false.'),
  choices: optional(Type.Array(Title, { maxItems: maxChoices }), 'The possible answers of a choice.'),
  min: optional(Type.Number(), 'The smallest possible answer of a number.'),
  max: optional(Type.Number(), 'The largest possible answer of a number.'),
});

export const DecisionInFile = v.closed({
  due: optional(
    Duration,
    'The time for a decision: up to 9999 minutes (90min) or hours (12h), or up to 999 days (3d) or weeks (2w).',
  ),
  show: optional(
    Type.Array(Shown, { maxItems: maxParts }),
    'The values of the experiment that matter for the decision.',
  ),
  fields: optional(Type.Array(Field, { maxItems: maxParts }), 'A form. Its answers become variables in the same move.'),
});
