/** Subjects (specification, section 4, Subjects). */
import { Type } from 'typebox';
import { externalIdsOf } from './external-ids.ts';
import { defineOperations } from '../operation.ts';
import { needs, signedIn } from '../permission.ts';
import * as v from '../values.ts';

/** Null unless the subject has withdrawn. */
export const Withdrawn = v.nullable(v.closed({ date: v.CalendarDate, erased_at: v.nullable(v.Time) }));

export const Subject = v.resource('Subject', 'A participant in a study, in exactly one cohort.', {
  id: v.Id,
  uri: v.Uri,
  api_uri: v.ApiUri,
  web_uri: v.WebUri,
  label: v.Label,
  date_of_birth: v.nullable(v.CalendarDate),
  cohort: v.Ref,
  experiments: Type.Array(v.Ref),
  external_ids: v.TextBySystem,
  withdrawn: Withdrawn,
});

export const SubjectExternalIds = v.resource('SubjectExternalIds', 'The external IDs of a subject.', {
  subject_id: v.Id,
  subject_label: v.Label,
  external_ids: v.TextBySystem,
});

export const subjectExample = {
  id: 41,
  uri: '/api/v2/subjects/41',
  api_uri: 'https://milepost.example.org/api/v2/subjects/41',
  web_uri: 'https://milepost.example.org/subjects/41',
  label: 'MC-0041',
  date_of_birth: '1951-03-08',
  cohort: { id: 7, label: 'memory-clinic-2026', uri: '/api/v2/cohorts/7' },
  experiments: [{ id: 112, label: 'MC-0041-baseline', uri: '/api/v2/experiments/112' }],
  external_ids: { XNAT: 'XNAT_S00041' },
  withdrawn: null,
};

const externalIds = externalIdsOf({
  name: 'subject',
  response: SubjectExternalIds,
  example: { subject_id: 41, subject_label: 'MC-0041', external_ids: { XNAT: 'XNAT_S00041' } },
});

export const subjectOperations = defineOperations({
  createSubject: {
    method: 'POST',
    path: '/subjects',
    summary: 'Create a subject',
    description: 'The label must be unique in the cohort.',
    access: needs('sample_add'),
    version: 'shown',
    body: v.closed({ label: v.Label, cohort_label: v.Label, date_of_birth: v.optional(v.CalendarDateInput) }),
    response: Subject,
    statuses: {
      201: 'The subject was created.',
      404: 'No cohort has this label.',
      409: 'Another subject in the cohort has this label.',
    },
    example: {
      body: { label: 'MC-0041', cohort_label: 'memory-clinic-2026', date_of_birth: '1951-03-08' },
      response: { ...subjectExample, experiments: [], external_ids: {} },
    },
  },
  listSubjects: {
    method: 'GET',
    path: '/subjects',
    summary: 'List subjects',
    description: 'All subjects, or those of one cohort, ordered by id.',
    access: signedIn,
    query: v.closed({
      cohort_label: Type.Optional(Type.String({ description: 'Only subjects in the cohort with this label.' })),
      ...v.page,
    }),
    response: v.listOf('subjects', v.Ref),
    statuses: { 200: 'The subjects. The list is empty if the cohort does not exist.' },
    example: { response: { subjects: [{ id: 41, label: 'MC-0041', uri: '/api/v2/subjects/41' }] } },
  },
  getSubject: {
    method: 'GET',
    path: '/subjects/{id}',
    summary: 'Read a subject',
    description: 'Includes its cohort, all its experiments and its external IDs.',
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response: Subject,
    statuses: { 200: 'The subject.', 404: 'No subject has this id.' },
    example: { response: subjectExample },
  },
  updateSubject: {
    method: 'PUT',
    path: '/subjects/{id}',
    summary: 'Change a subject',
    description:
      'Absent fields keep their values. Null clears `date_of_birth`. `cohort_label` moves the subject and its ' +
      'experiments to another cohort.',
    access: needs('sample_add'),
    version: 'checked',
    params: v.ById,
    body: v.closed({
      label: v.optional(v.Label),
      cohort_label: v.optional(v.Label),
      date_of_birth: v.clearable(v.CalendarDateInput),
      ...v.readOnly('id', 'uri', 'api_uri', 'web_uri', 'cohort', 'experiments', 'external_ids', 'withdrawn'),
    }),
    response: Subject,
    statuses: {
      200: 'The subject.',
      404: 'No subject has this id, or no cohort has this label.',
      409: 'Another subject in the cohort has this label, or the subject was erased.',
    },
    example: { body: { date_of_birth: '1951-03-08' }, response: subjectExample },
  },
  addSubjectExternalIds: externalIds.add,
  getSubjectExternalIds: externalIds.get,
  setSubjectExternalId: externalIds.set,
  deleteSubjectExternalId: externalIds.delete,
});
