/** Experiments by outcome, as a bar shows them: those of a cohort or of a workflow. */
import { Type } from 'typebox';
import * as v from '../values.ts';

export const count = (description: string) => Type.Integer({ minimum: 0, description });

export const progressParts = ['good', 'active', 'attention', 'bad', 'neutral'] as const;

export const progressFields = {
  experiments: count('The number of experiments, without those of withdrawn subjects.'),
  progress: Type.Array(
    v.closed({
      part: v.oneOf(progressParts, {
        description:
          '`attention`: with an open incident, an overdue wait or a decision to make, without snoozed ones. Of the others, ' +
          '`active`: in a state that is not final. Otherwise the outcome of the final state.',
      }),
      title: v.nullable(
        Type.String({ description: 'The title of the final state, if all of these are in states of one title.' }),
      ),
      experiments: count('The number of experiments.'),
    }),
    { description: 'The experiments by part, without empty parts.' },
  ),
  last_activity: v.nullable(
    Type.String({
      format: 'date-time',
      description: 'When an experiment last entered or left a state, to a few seconds.',
    }),
  ),
};
