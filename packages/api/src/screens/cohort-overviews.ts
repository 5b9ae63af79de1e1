/** The numbers of cohorts, and a cohort as a matrix of subjects and experiments. */
import { Type } from 'typebox';
import { incidentKinds } from '../runs/choices.ts';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import { Withdrawn } from '../study/subjects.ts';
import * as v from '../values.ts';
import { count, progressFields } from './progress.ts';

const ref = v.Ref.properties;
/** Visits beyond this number are in no column of their own. */
export const maxVisits = 30;

const numbers = {
  subjects: count('The number of subjects, also of those who withdrew.'),
  withdrawn: count('The number of subjects who withdrew.'),
  ...progressFields,
};

export const CohortNumbers = v.resource('CohortNumbers', 'A cohort with its numbers.', {
  ...ref,
  web_uri: v.WebUri,
  ...numbers,
});

const Visit = v.closed({
  visit: Type.String({ description: 'What the label of an experiment adds to the label of its subject.' }),
  subjects: count(
    'The number of experiments of this visit, without those of withdrawn subjects. Usually one for each subject.',
  ),
});

export const CohortSummary = v.resource('CohortSummary', 'The numbers of a cohort and the columns of its matrix.', {
  ...CohortNumbers.properties,
  subjects_attention: count('The number of subjects with an experiment that needs attention.'),
  states: Type.Array(v.closed({ state: v.Ref, experiments: count('The number of experiments.') }), {
    description: 'The states of its experiments, without empty ones.',
  }),
  visits: Type.Array(Visit, {
    description: `The visits that at least a fifth of the subjects have, in their usual order. At most ${maxVisits}.`,
  }),
});

export const MatrixSubject = v.resource('MatrixSubject', 'A subject with its experiments and their states.', {
  ...ref,
  web_uri: v.WebUri,
  withdrawn: Withdrawn,
  last_activity: v.nullable(v.Time),
  experiments: Type.Array(
    v.closed({
      ...ref,
      web_uri: v.WebUri,
      visit: Visit.properties.visit,
      workflow: v.Ref,
      state: v.Ref,
      incidents: Type.Array(v.oneOf(incidentKinds), { description: 'The kinds of its open incidents.' }),
      waits: v.nullable(
        v.oneOf(['decision', 'report'], { description: 'Whether it waits for a decision or a report.' }),
      ),
      overdue: Type.Boolean({
        description: 'Whether the decision is overdue, or the report after more than 24 hours.',
      }),
    }),
  ),
});

const workflow = { id: 1, label: 'brain_mri', uri: '/api/v2/workflows/1' };
const state = { id: 4, label: 'processed', uri: '/api/v2/states/4' };
const cohort = {
  id: 7,
  label: 'memory-clinic',
  uri: '/api/v2/cohorts/7',
  web_uri: 'https://milepost.example.org/cohorts/7',
  subjects: 312,
  withdrawn: 3,
  experiments: 1114,
  progress: [
    { part: 'good' as const, title: 'Accepted', experiments: 812 },
    { part: 'active' as const, title: null, experiments: 302 },
  ],
  last_activity: '2026-11-15T08:30:00.000Z',
};

const noCohort = { 404: 'No cohort has this id.' };

export const cohortOverviewOperations = defineOperations({
  listCohortRows: {
    method: 'GET',
    path: '/cohort_rows',
    summary: 'List cohorts with their numbers',
    description: 'The cohorts, ordered by id, each with the numbers of its subjects and experiments.',
    access: signedIn,
    query: v.closed(v.screenPage(100)),
    response: v.listOf('cohorts', CohortNumbers),
    statuses: { 200: 'The cohorts.' },
    example: { response: { cohorts: [cohort] } },
  },
  getCohortSummary: {
    method: 'GET',
    path: '/cohorts/{id}/summary',
    summary: 'Read the numbers of a cohort',
    description:
      'The numbers of its subjects and experiments, and the columns of its matrix. The counts are exact. The response time depends on ' +
      'the number of experiments that need attention, not on that of all.',
    access: signedIn,
    params: v.ById,
    response: CohortSummary,
    statuses: { 200: 'The numbers.', ...noCohort },
    example: {
      response: {
        ...cohort,
        subjects_attention: 23,
        states: [{ state, experiments: 812 }],
        visits: [{ visit: 'baseline', subjects: 308 }],
      },
    },
  },
  getCohortMatrix: {
    method: 'GET',
    path: '/cohorts/{id}/matrix',
    summary: 'Read the matrix of a cohort',
    description:
      'The subjects of the cohort, ordered by label, each with all its experiments, their states and open incidents. With filters, a page ' +
      'can have fewer subjects than `limit`, or none, and still not be the last one.',
    access: signedIn,
    params: v.ById,
    query: v.closed({
      ...v.screenPage(50),
      after: Type.Optional({
        ...v.page.after,
        description:
          'The id of the subject after whose label to continue: `next` of the page before. It cannot be combined with `offset`.',
      }),
      label: Type.Optional({ ...v.LabelPrefix, description: 'Only subjects whose label begins with this text.' }),
      state_id: Type.Optional({ ...v.Id, description: 'Only subjects with an experiment in this state.' }),
      gaps: Type.Optional(
        v.oneOf(['any'], { description: 'Only subjects without an experiment of one of the visits of the summary.' }),
      ),
      attention: Type.Optional(
        v.oneOf(['any'], { description: 'Only subjects with an experiment that needs attention.' }),
      ),
    }),
    response: v.closed({
      subjects: Type.Array(MatrixSubject),
      next: v.nullable({
        ...v.Id,
        description: 'The `after` of the next page: the id of a subject. Null on the last page.',
      }),
    }),
    statuses: { 200: 'The subjects.', 400: 'The request is invalid, or the state does not exist.', ...noCohort },
    example: {
      response: {
        subjects: [
          {
            id: 41,
            label: 'MC-0041',
            uri: '/api/v2/subjects/41',
            web_uri: 'https://milepost.example.org/subjects/41',
            withdrawn: null,
            last_activity: '2026-11-15T08:30:00.000Z',
            experiments: [
              {
                id: 112,
                label: 'MC-0041-baseline',
                uri: '/api/v2/experiments/112',
                web_uri: 'https://milepost.example.org/experiments/112',
                visit: 'baseline',
                workflow,
                state,
                incidents: ['failed'],
                waits: null,
                overdue: false,
              },
            ],
          },
        ],
        next: null,
      },
    },
  },
});
