/** Decisions: states in which experiments wait until a user moves them, beyond the specification. */
import { Type, type Static } from 'typebox';
import * as v from '../values.ts';

export const outcomes = ['good', 'bad', 'neutral'] as const;
export type Outcome = (typeof outcomes)[number];

export const fieldTypes = ['choice', 'number', 'yes_no', 'text'] as const;
export type FieldType = (typeof fieldTypes)[number];

/** PostgreSQL reads it as an interval. Longer times would not fit into the keys by which due decisions are ordered. */
export const Duration = Type.String({
  pattern: '^(?:[1-9][0-9]{0,3}(?:min|h)|[1-9][0-9]{0,2}(?:d|w))$',
  'x-wanted':
    'must be a number of minutes or hours up to 9999, or of days or weeks up to 999, such as 90min, 12h, 3d or 2w',
});
export const Title = { ...v.Label, maxLength: 100 };
export const Colour = Type.String({
  pattern: '^#[0-9a-fA-F]{6}$',
  'x-wanted': 'must be a colour such as #0f766e',
});
export const Unit = Type.String({ minLength: 1, maxLength: 20 });
export const maxAnswerLength = 1000;

const limit = (description: string) => v.nullable(Type.Number({ description }));

const ShownValue = v.closed({
  variable: { ...v.Label, description: 'The name of a variable of the experiment.' },
  title: Title,
  unit: v.nullable(Unit),
  min: limit('The smallest value within the limits.'),
  max: limit('The largest value within the limits.'),
});

const DecisionField = v.closed({
  variable: { ...v.Label, description: 'The variable that the answer sets.' },
  title: Title,
  type: v.oneOf(fieldTypes),
  required: Type.Boolean(),
  choices: Type.Array(Title, { description: 'The possible answers of a `choice`. Empty for other types.' }),
  min: limit('The smallest possible answer of a `number`.'),
  max: limit('The largest possible answer of a `number`.'),
});

export const Decision = v.resource('Decision', 'What users see and answer when they decide about an experiment.', {
  due: v.nullable({
    ...Duration,
    description: 'The time for a decision, such as `3d`: minutes (`min`), hours (`h`), days (`d`) or weeks (`w`).',
  }),
  show: Type.Array(ShownValue),
  fields: Type.Array(DecisionField),
});

export type Decision = Static<typeof Decision>;
export type DecisionField = Static<typeof DecisionField>;

/** Fields of a state that its workflow file sets for the pages. */
export const stateLook = {
  title: { ...v.Label, description: 'The title, or the label if the workflow file sets none.' },
  colour: v.nullable({ ...Colour, description: 'The colour that the workflow file sets.' }),
  outcome: v.nullable(v.oneOf(outcomes, { description: 'What it means for an experiment to stay in the state.' })),
  decision: v.nullable(Decision),
};
