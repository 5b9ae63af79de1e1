/** Search for experiments with a query (docs/reference/queries.md). */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import { maxQueryLength } from '../queries/terms.ts';
import * as v from '../values.ts';
import { rowExample } from './experiment-rows.ts';

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
  id: v.Id,
  uri: v.Uri,
  web_uri: v.WebUri,
  label: v.Label,
  scandate: v.nullable(v.Scandate),
  subject: v.Ref,
  cohort: v.Ref,
  workflow: v.Ref,
  state: v.Ref,
  in_state_since: v.nullable({ ...v.Time, description: 'When it entered its state. Retries do not count.' }),
  changed_at: v.nullable({ ...v.Time, description: 'When its latest action started.' }),
  external_ids: v.TextBySystem,
  variables: v.mapOf(Type.Unknown(), { description: 'The variables that the query names.' }),
});

const StateCount = v.closed({ state: v.Ref, workflow: v.Ref, experiments: Type.Integer({ minimum: 0 }) });

const { entered_at, action_id: _action, incidents: _incidents, executions: _executions, ...example } = rowExample;

export const experimentSearchOperations = defineOperations({
  searchExperiments: {
    method: 'GET',
    path: '/experiments/search',
    summary: 'Search for experiments',
    description:
      'Returns the experiments that match all terms of the query `q`, and their number in each state. The page ' +
      'docs/reference/queries.md describes the language and its limits. The header Link has the next page.',
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
            ...example,
            in_state_since: entered_at,
            changed_at: entered_at,
            external_ids: { XNAT: 'XNAT_E00029' },
            variables: { scanner: 'Prisma' },
          },
        ],
        states: [{ state: example.state, workflow: example.workflow, experiments: 1 }],
        more: false,
      },
    },
  },
});
