/** Cohorts (specification, section 4, Cohorts). */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { needs, signedIn } from '../permission.ts';
import { Subject, subjectExample } from './subjects.ts';
import { Experiment, experimentExample } from '../experiments/experiments.ts';
import * as v from '../values.ts';

export const Cohort = v.resource('Cohort', 'A group of subjects that belong to one study or one part of a study.', {
  id: v.Id,
  uri: v.Uri,
  label: v.Label,
  description: v.LongText,
  external_urls: v.TextBySystem,
  subjects: Type.Array(v.Ref),
});

export const CohortExternalUrls = v.resource('CohortExternalUrls', 'The URLs of a cohort in external systems.', {
  cohort_id: v.Id,
  cohort_label: v.Label,
  external_urls: v.TextBySystem,
});

const BySubject = v.closed({ label: v.LabelInPath, subject_label: v.LabelInPath });
const ByExperiment = v.closed({
  label: v.LabelInPath,
  subject_label: v.LabelInPath,
  experiment_label: v.LabelInPath,
});

export const cohortExample = {
  id: 7,
  uri: '/api/v2/cohorts/7',
  label: 'memory-clinic-2026',
  description: 'Patients of the memory clinic in 2026',
  external_urls: { XNAT: 'https://xnat.example.org/data/projects/memory' },
  subjects: [{ id: 41, label: 'MC-0041', uri: '/api/v2/subjects/41' }],
};

const urlsExample = {
  cohort_id: 7,
  cohort_label: 'memory-clinic-2026',
  external_urls: { XNAT: 'https://xnat.example.org/data/projects/memory' },
};

export const cohortOperations = defineOperations({
  createCohort: {
    method: 'POST',
    path: '/cohorts',
    summary: 'Create a cohort',
    description: 'The label must be unique. It cannot be `by-label`, which is part of a path.',
    access: needs('sample_add'),
    installationWide: true,
    version: 'shown',
    body: v.closed({ label: v.UnreservedLabel, description: v.optional(v.LongText) }),
    response: Cohort,
    statuses: { 201: 'The cohort was created.', 409: 'Another cohort has this label.' },
    example: {
      body: { label: 'memory-clinic-2026', description: 'Patients of the memory clinic in 2026' },
      response: { ...cohortExample, external_urls: {}, subjects: [] },
    },
  },
  listCohorts: {
    method: 'GET',
    path: '/cohorts',
    summary: 'List cohorts',
    description: 'All cohorts, ordered by id.',
    access: signedIn,
    query: v.Page,
    response: v.listOf('cohorts', v.Ref),
    statuses: { 200: 'The cohorts.' },
    example: { response: { cohorts: [{ id: 7, label: 'memory-clinic-2026', uri: '/api/v2/cohorts/7' }] } },
  },
  getCohortByLabel: {
    method: 'GET',
    path: '/cohorts/by-label/{label}',
    summary: 'Read a cohort by label',
    description: 'Returns the same response as reading the cohort by id. Write a slash in the label as `%2F`.',
    access: signedIn,
    version: 'shown',
    params: v.ByLabel,
    response: Cohort,
    statuses: { 200: 'The cohort.', 404: 'No cohort has this label.' },
    example: { response: cohortExample },
  },
  getCohort: {
    method: 'GET',
    path: '/cohorts/{id}',
    summary: 'Read a cohort',
    description: '`subjects` lists every subject and is streamed. If you do not need it, leave it out with `X-Fields`.',
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response: Cohort,
    statuses: { 200: 'The cohort.', 404: 'No cohort has this id.' },
    example: { response: cohortExample },
  },
  updateCohort: {
    method: 'PUT',
    path: '/cohorts/{id}',
    summary: 'Change a cohort',
    description: 'Absent fields keep their values. Null clears `description`.',
    access: needs('sample_add'),
    version: 'checked',
    params: v.ById,
    body: v.closed({
      label: v.optional(v.UnreservedLabel),
      description: v.clearable(v.LongText),
      ...v.readOnly('id', 'uri', 'external_urls', 'subjects'),
    }),
    response: Cohort,
    statuses: { 200: 'The cohort.', 404: 'No cohort has this id.', 409: 'Another cohort has this label.' },
    example: { body: { description: 'Patients of the memory clinic in 2026' }, response: cohortExample },
  },
  addCohortExternalUrls: {
    method: 'POST',
    path: '/cohorts/{id}/external_urls',
    summary: 'Add external URLs to a cohort',
    description:
      'Adds or replaces the URLs in the named systems and keeps the others. If one is invalid, nothing changes. ' +
      '`external_urls` is an object, or a string that contains the object as JSON.',
    access: needs('sample_update'),
    version: 'checked',
    params: v.ById,
    body: v.closed({ external_urls: v.objectOrText(v.urlBySystem) }),
    response: CohortExternalUrls,
    statuses: {
      200: 'All URLs existed and were replaced.',
      201: 'At least one URL is new.',
      404: 'No cohort has this id, or an external system does not exist.',
    },
    example: { body: { external_urls: urlsExample.external_urls }, response: urlsExample },
  },
  getCohortExternalUrls: {
    method: 'GET',
    path: '/cohorts/{id}/external_urls',
    summary: 'Read the external URLs of a cohort',
    description: 'One URL for each external system that contains the cohort.',
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response: CohortExternalUrls,
    statuses: { 200: 'The URLs.', 404: 'No cohort has this id.' },
    example: { response: urlsExample },
  },
  setCohortExternalUrl: {
    method: 'PUT',
    path: '/cohorts/{id}/external_urls/{system_name}',
    summary: 'Set an external URL of a cohort',
    description: 'Creates or replaces the URL in one external system.',
    access: needs('sample_update'),
    version: 'checked',
    params: v.ByIdAndSystem,
    body: v.closed({ external_url: v.Url }),
    response: CohortExternalUrls,
    statuses: {
      200: 'The URL was already set.',
      201: 'The URL was created or replaced.',
      404: 'No cohort has this id, or no external system has this name.',
    },
    example: { body: { external_url: urlsExample.external_urls.XNAT }, response: urlsExample },
  },
  deleteCohortExternalUrl: {
    method: 'DELETE',
    path: '/cohorts/{id}/external_urls/{system_name}',
    summary: 'Remove an external URL from a cohort',
    description: 'Returns the remaining URLs.',
    access: needs('sample_delete'),
    version: 'checked',
    params: v.ByIdAndSystem,
    response: CohortExternalUrls,
    statuses: {
      200: 'The URL was removed.',
      404: 'No cohort has this id, no external system has this name, or the cohort has no URL there.',
    },
    example: { response: { ...urlsExample, external_urls: {} } },
  },
  listCohortSubjects: {
    method: 'GET',
    path: '/cohorts/{label}/subjects',
    summary: 'List the subjects of a cohort',
    description: 'The subjects of one cohort, ordered by id. Write a slash in the label as `%2F`.',
    access: signedIn,
    params: v.ByLabel,
    query: v.Page,
    response: v.listOf('subjects', v.Ref),
    statuses: { 200: 'The subjects.', 404: 'No cohort has this label.' },
    example: { response: { subjects: cohortExample.subjects } },
  },
  getCohortSubject: {
    method: 'GET',
    path: '/cohorts/{label}/subjects/{subject_label}',
    summary: 'Read a subject by label',
    description: 'Returns the same response as reading the subject by id.',
    access: signedIn,
    version: 'shown',
    params: BySubject,
    response: Subject,
    statuses: { 200: 'The subject.', 404: 'The cohort or the subject does not exist.' },
    example: { response: subjectExample },
  },
  listCohortSubjectExperiments: {
    method: 'GET',
    path: '/cohorts/{label}/subjects/{subject_label}/experiments',
    summary: 'List the experiments of a subject by label',
    description: 'The experiments of one subject, ordered by id.',
    access: signedIn,
    params: BySubject,
    query: v.Page,
    response: v.listOf('experiments', v.Ref),
    statuses: { 200: 'The experiments.', 404: 'The cohort or the subject does not exist.' },
    example: { response: { experiments: subjectExample.experiments } },
  },
  getCohortSubjectExperiment: {
    method: 'GET',
    path: '/cohorts/{label}/subjects/{subject_label}/experiments/{experiment_label}',
    summary: 'Read an experiment by label',
    description: 'Returns the same response as reading the experiment by id.',
    access: signedIn,
    version: 'shown',
    params: ByExperiment,
    response: Experiment,
    statuses: {
      200: 'The experiment.',
      404: 'The cohort, the subject or the experiment does not exist.',
    },
    example: { response: experimentExample },
  },
});
