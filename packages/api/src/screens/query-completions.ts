/** Completion of names and values in a query (docs/reference/queries.md). */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { completedNames } from '../queries/names.ts';
import { signedIn } from '../permission.ts';
import * as v from '../values.ts';

export const maxCompletions = 20;
/** Variables are completed from those of the latest experiments. */
export const completedExperiments = 500;
const mostTyped = 255;

export const QueryCompletion = v.resource('QueryCompletion', 'A name or a value for a query.', {
  text: Type.String({ description: 'The name or value, without the quotes that a query may need.' }),
  detail: v.nullable(
    Type.String({ description: 'For a state, its title and workflow. For a user, the name. Null for others.' }),
  ),
});

export const queryCompletionOperations = defineOperations({
  getQueryCompletions: {
    method: 'GET',
    path: '/experiments/search/completions',
    summary: 'Complete a part of a query',
    description:
      'Returns texts that contain `text`, at most ' +
      `${maxCompletions}. Those that begin with it come first. A to Z are case-insensitive. Variables and their values are those of the ` +
      `latest ${completedExperiments} experiments that you can read. Users are those to whom you can assign experiments, and are also found by their name.`,
    access: signedIn,
    query: v.closed({
      of: v.oneOf(completedNames, { description: 'The name of the filter.' }),
      key: Type.Optional(
        Type.String({
          maxLength: mostTyped,
          description:
            'For `var`, the variable whose values are completed, and for `external`, the system. Without it, the names of ' +
            'variables or systems are completed. External IDs are not completed.',
        }),
      ),
      text: Type.Optional(Type.String({ maxLength: mostTyped, description: 'The text that was typed so far.' })),
    }),
    response: v.closed({ completions: Type.Array(QueryCompletion) }),
    statuses: { 200: 'The completions.', 400: 'The request is invalid, or this filter has no `key`.' },
    example: { response: { completions: [{ text: 'visual_qc', detail: 'Visual QC · brain_mri' }] } },
  },
});
