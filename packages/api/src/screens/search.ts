/** Search by label, and for experiments also by external ID. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import * as v from '../values.ts';

const ref = v.Ref.properties;

export const SearchResult = v.resource('SearchResult', 'The objects that have the search text.', {
  experiments: Type.Array(
    v.closed({
      ...ref,
      web_uri: v.WebUri,
      subject: v.Ref,
      state: v.Ref,
      external_id: v.nullable(
        Type.String({ description: 'The external ID with the text, if the label does not contain it.' }),
      ),
    }),
  ),
  subjects: Type.Array(v.closed({ ...ref, web_uri: v.WebUri, cohort: v.Ref })),
  cohorts: Type.Array(v.Ref),
  states: Type.Array(v.closed({ ...ref, workflow: v.Ref })),
});

const subject = { id: 41, label: 'MC-0041', uri: '/api/v2/subjects/41' };
const experiment = { id: 112, label: 'MC-0041-baseline', uri: '/api/v2/experiments/112' };

export const searchOperations = defineOperations({
  search: {
    method: 'GET',
    path: '/search',
    summary: 'Search by label',
    description:
      'Finds experiments, subjects, cohorts and states whose label starts with `q`, ordered by label. Then come experiments with `q` ' +
      'anywhere in their label, in the label of their subject or in an external ID, unless too many have it. Retired states are left out.',
    access: signedIn,
    query: v.closed({
      q: { ...v.LabelPrefix, description: 'A part of a label or of an external ID. A to Z are case-insensitive.' },
      limit: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 100,
          description: 'The maximum number of results of each kind. Default: 10.',
        }),
      ),
    }),
    response: SearchResult,
    statuses: { 200: 'The first results of each kind.' },
    example: {
      response: {
        experiments: [
          {
            ...experiment,
            web_uri: 'https://milepost.example.org/experiments/112',
            subject,
            state: { id: 4, label: 'processed', uri: '/api/v2/states/4' },
            external_id: null,
          },
        ],
        subjects: [
          {
            ...subject,
            web_uri: 'https://milepost.example.org/subjects/41',
            cohort: { id: 7, label: 'memory-clinic-2026', uri: '/api/v2/cohorts/7' },
          },
        ],
        cohorts: [],
        states: [],
      },
    },
  },
});
