/** Section 4, "Cohorts". */
import { missing, unknownId, type Operation } from '../operation.ts';
import type { Study } from '../study.ts';
import { labels, texts, unique, urls } from '../values.ts';

/** Paths of the cohort, subject and experiment of the study. */
const names = ({ cohort, subject, run }: Study) => ({
  path: { label: cohort.label, subject_label: subject.label, experiment_label: run.experiment.label },
});

const missingCohort = missing('cohort', { path: { label: 'Nowhere' } });
const missingSubject = missing('subject', { path: { subject_label: 'Nowhere' } });

/** Labels of new cohorts. */
const cohortLabels = labels.map((label) => async ({ newCohort }: Study) => {
  const cohort = await newCohort({ label: label() });
  return cohort.label;
});

export const cohorts: Operation[] = [
  {
    operation: 'POST /cohorts',
    request: { description: 'string', label: 'string' },
    response: 'Cohort',
    statuses: [200, 201],
    valid: () => ({ status: 201, body: { label: unique('Memory') } }),
    required: ['label'],
    values: { description: texts, label: labels },
    calls: [{ status: 409, when: 'label exists', again: true }],
    unreachable: { 200: '0004' },
    alwaysEmpty: ['subjects[]'],
  },
  {
    operation: 'GET /cohorts',
    response: { cohorts: ['Ref'] },
    statuses: [200],
    valid: () => ({}),
  },
  {
    operation: 'GET /cohorts/by-label/{label}',
    response: 'Cohort',
    statuses: [200, 404],
    valid: names,
    values: { label: cohortLabels },
    calls: [missingCohort],
  },
  {
    operation: 'GET /cohorts/{id}',
    response: 'Cohort',
    statuses: [200, 404],
    valid: ({ cohort }) => ({ path: { id: cohort.id } }),
    calls: [missing('cohort', { path: { id: unknownId } })],
  },
  {
    operation: 'PUT /cohorts/{id}',
    request: { description: 'string', label: 'string' },
    response: 'Cohort',
    statuses: [200, 404],
    valid: ({ spare }) => ({ path: { id: spare.cohort }, body: {} }),
    values: { description: texts, label: labels },
    calls: async ({ cohort }) => [
      missing('cohort', { path: { id: unknownId } }),
      { status: 409, when: 'label exists', body: { label: cohort.label } },
    ],
  },
  {
    operation: 'POST /cohorts/{id}/external_urls',
    request: { external_urls: 'string' },
    response: 'CohortExternalUrls',
    statuses: [200, 201, 404],
    valid: async ({ newCohort, system }) => ({
      status: 201,
      path: { id: (await newCohort()).id },
      body: { external_urls: JSON.stringify({ [system]: urls[0] }) },
    }),
    required: ['external_urls'],
    values: { external_urls: urls.map((url) => (study: Study) => JSON.stringify({ [study.archive]: url })) },
    alsoTakes: { external_urls: 'object' },
    calls: async ({ system }) => [
      { status: 200, when: 'nothing changes', again: true, shows: { external_urls: { [system]: urls[0] } } },
      missing('cohort', { path: { id: unknownId } }),
      missing('external system', { body: { external_urls: '{"Nowhere": "https://example.org"}' } }),
    ],
  },
  {
    operation: 'GET /cohorts/{id}/external_urls',
    response: 'CohortExternalUrls',
    statuses: [200, 404],
    valid: ({ cohort }) => ({ path: { id: cohort.id } }),
    calls: [missing('cohort', { path: { id: unknownId } })],
  },
  {
    operation: 'PUT /cohorts/{id}/external_urls/{system_name}',
    request: { external_url: 'string' },
    response: 'CohortExternalUrls',
    statuses: [200, 201, 404],
    valid: async ({ newCohort, system }) => ({
      status: 201,
      path: { id: (await newCohort()).id, system_name: system },
      body: { external_url: urls[0] },
    }),
    required: ['external_url'],
    values: { external_url: urls, system_name: [(study: Study) => study.system, (study: Study) => study.archive] },
    calls: async ({ system }) => [
      {
        status: 201,
        when: 'another value is set',
        again: true,
        body: { external_url: urls[1] },
        shows: { external_urls: { [system]: urls[1] } },
      },
      { status: 200, when: 'nothing changes', again: true, shows: { external_urls: { [system]: urls[0] } } },
      missing('cohort', { path: { id: unknownId } }),
      missing('external system', { path: { system_name: 'Nowhere' } }),
    ],
  },
  {
    operation: 'DELETE /cohorts/{id}/external_urls/{system_name}',
    response: 'CohortExternalUrls',
    statuses: [200, 404],
    valid: async ({ send, newCohort, archive }) => {
      const path = { id: (await newCohort()).id, system_name: archive };
      await send('PUT /cohorts/{id}/external_urls/{system_name}', { path, body: { external_url: urls[0] } });
      return { path };
    },
    calls: [
      missing('cohort', { path: { id: unknownId } }),
      missing('external system', { path: { system_name: 'Nowhere' } }),
      { status: 404, when: 'external url missing', again: true },
    ],
  },
  {
    operation: 'GET /cohorts/{label}/subjects',
    response: { subjects: ['Ref'] },
    statuses: [200, 404],
    valid: names,
    values: { label: cohortLabels },
    calls: [missingCohort],
  },
  {
    operation: 'GET /cohorts/{label}/subjects/{subject_label}',
    response: 'Subject',
    statuses: [200, 404],
    valid: names,
    values: {
      subject_label: labels.map((label) => async (study: Study) => (await study.newSubject({ label: label() })).label),
    },
    shownAs: { subject_label: 'label' },
    calls: [missingCohort, missingSubject],
  },
  {
    operation: 'GET /cohorts/{label}/subjects/{subject_label}/experiments',
    response: { experiments: ['Ref'] },
    statuses: [200, 404],
    valid: names,
    calls: [missingCohort, missingSubject],
  },
  {
    operation: 'GET /cohorts/{label}/subjects/{subject_label}/experiments/{experiment_label}',
    response: 'Experiment',
    statuses: [200, 404],
    valid: names,
    values: {
      experiment_label: labels.map(
        (label) => async (study: Study) => (await study.newExperiment({ label: label() })).label,
      ),
    },
    shownAs: { experiment_label: 'label' },
    calls: [missingCohort, missingSubject, missing('experiment', { path: { experiment_label: 'Nowhere' } })],
  },
];
