/** Search for experiments with a query (docs/reference/queries.md). */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import { maxQueryLength } from '../queries/terms.ts';
import * as v from '../values.ts';
import { ExperimentRow, rowExample } from './experiment-rows.ts';

export const searchSorts = [
  'id',
  'label',
  'subject',
  'cohort',
  'workflow',
  'state',
  'scanned',
  'changed',
  'in-state',
] as const;

/** The most experiments that are counted. */
export const maxFoundCount = 10_000;
const defaultLimit = 50;
const mostRows = 200;

export const FoundExperiment = v.resource('FoundExperiment', 'An experiment that matches a query.', {
  ...ExperimentRow.properties,
  changed_at: v.nullable({ ...v.Time, description: 'When its latest action started.' }),
  external_ids: v.TextBySystem,
  variables: v.mapOf(Type.Unknown(), { description: 'The variables that the query or `columns` names.' }),
});

const StateCount = v.closed({ state: v.Ref, workflow: v.Ref, experiments: Type.Integer({ minimum: 0 }) });

export const experimentSearchOperations = defineOperations({
  searchExperiments: {
    method: 'GET',
    path: '/experiments/search',
    summary: 'Search for experiments',
    description:
      'Returns the experiments that match all terms of the query `q`, and their number in each state. The reference of ' +
      'queries describes the language and its limits. The header Link has the next page, and `next` its cursor.',
    access: signedIn,
    query: v.closed({
      q: Type.Optional(
        Type.String({
          maxLength: maxQueryLength,
          description: 'The query, such as `state:visual_qc in-state>3d`. Without it, all experiments.',
        }),
      ),
      sort: Type.Optional(
        v.oneOf(
          searchSorts.flatMap((name) => [name, `-${name}` as const]),
          { description: 'The order. `-` reverses it. Default: `id`.' },
        ),
      ),
      after: Type.Optional(
        Type.String({ minLength: 1, maxLength: 2000, description: 'The cursor from the link to the next page.' }),
      ),
      columns: Type.Optional(
        Type.String({
          maxLength: 4000,
          description:
            'The fields of each experiment, such as `label,state.label,variables.scanner`. Variables are only included ' +
            'if the query or this parameter names them. Default: all fields.',
        }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: mostRows,
          description: `The maximum number of experiments, up to ${mostRows}. Default: ${defaultLimit}.`,
        }),
      ),
    }),
    response: v.closed({
      experiments: Type.Array(FoundExperiment),
      states: Type.Array(StateCount, {
        description: 'The number of found experiments in each state. Empty after the first page.',
      }),
      next: v.nullable(
        Type.String({ description: 'The cursor of the next page, for `after`. Null on the last page.' }),
      ),
      more: Type.Boolean({
        description: 'Whether the counts of `states` are a minimum, because reading stopped early.',
      }),
    }),
    statuses: {
      200: 'The experiments.',
      400: 'The query has an error, or names something that does not exist. `errors` has the column and length of the word.',
      422: 'The query is too broad. `detail` says which term to add.',
    },
    example: {
      response: {
        experiments: [
          {
            ...rowExample,
            changed_at: rowExample.entered_at,
            external_ids: { XNAT: 'XNAT_E00029' },
            variables: { scanner: 'Prisma' },
          },
        ],
        states: [{ state: rowExample.state, workflow: rowExample.workflow, experiments: 1 }],
        next: null,
        more: false,
      },
    },
  },
});
