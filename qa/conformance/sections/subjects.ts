/** Two subjects in a cohort, and an experiment of the first. */
import { unknownId, notFound, type Step } from '../step.ts';

const experiment: Step = {
  call: 'POST /experiments',
  body: { label: 'visit-1', scandate: '2026-02-17T09:30:00', subject_id: '$subject', workflow_label: 'brain_mri' },
  status: 201,
  save: { experiment: 'id', state: 'state.id' },
  shows: { label: 'visit-1', scandate: '2026-02-17T09:30:00', 'state.label': 'arrived' },
};

const resource: Step[] = [
  {
    call: 'POST /cohorts',
    body: { label: 'Memory', description: 'A cohort of volunteers' },
    status: 201,
    save: { cohort: 'id' },
    alwaysEmpty: { subjects: 'a new cohort has none' },
  },
  {
    call: 'POST /subjects',
    body: { label: 'MC-0041', cohort_label: 'Memory', date_of_birth: '1957-03-02' },
    status: 201,
    save: { subject: 'id' },
    shows: { label: 'MC-0041', date_of_birth: '1957-03-02', 'cohort.label': 'Memory' },
    alwaysEmpty: { experiments: 'a new subject has none' },
  },
  { call: 'POST /subjects', body: { label: 'MC-0042', cohort_label: 'Memory' }, status: 201 },
  experiment,
  { call: 'GET /subjects', status: 200 },
  {
    call: 'GET /subjects',
    query: { cohort_label: 'Memory', offset: 1, limit: 1 },
    status: 200,
    shows: { 'subjects.length': 1, 'subjects.0.label': 'MC-0042' },
  },
  { call: 'GET /subjects/{id}', params: { id: '$subject' }, status: 200, shows: { 'experiments.0.label': 'visit-1' } },
  notFound('GET /subjects/{id}', { params: { id: unknownId } }),
  {
    call: 'PUT /subjects/{id}',
    params: { id: '$subject' },
    body: { label: 'MC-0040', cohort_label: 'Memory', date_of_birth: '1957-03-03' },
    status: 200,
    shows: { label: 'MC-0040', date_of_birth: '1957-03-03' },
  },
  notFound('PUT /subjects/{id}', { params: { id: unknownId }, body: { label: 'x' } }),
];

const all = '/subjects/{id}/external_ids';
const one = '/subjects/{id}/external_ids/{system_name}';
const body = { external_id: 'XNAT_S1' };

/** The specification declares `external_ids` a string: the JSON text of the object. */
const externalIds: Step[] = [
  {
    call: `POST ${all}`,
    params: { id: '$subject' },
    body: { external_ids: '{"XNAT":"XNAT_S0"}' },
    status: 201,
    shows: { external_ids: { XNAT: 'XNAT_S0' } },
  },
  { call: `POST ${all}`, params: { id: '$subject' }, body: { external_ids: '{"XNAT":"XNAT_S0"}' }, status: 200 },
  notFound(`POST ${all}`, { params: { id: unknownId }, body: { external_ids: '{"XNAT":"x"}' } }),
  notFound(`POST ${all}`, { params: { id: '$subject' }, body: { external_ids: '{"Nowhere":"x"}' } }),
  { call: `PUT ${one}`, params: { id: '$subject', system_name: 'XNAT' }, body, status: 201 },
  { call: `PUT ${one}`, params: { id: '$subject', system_name: 'XNAT' }, body, status: 200 },
  { call: `PUT ${one}`, params: { id: '$subject', system_name: 'PACS' }, body, status: 201 },
  notFound(`PUT ${one}`, { params: { id: unknownId, system_name: 'XNAT' }, body }),
  notFound(`PUT ${one}`, { params: { id: '$subject', system_name: 'Nowhere' }, body }),
  {
    call: `GET ${all}`,
    params: { id: '$subject' },
    status: 200,
    shows: { external_ids: { PACS: 'XNAT_S1', XNAT: 'XNAT_S1' } },
  },
  notFound(`GET ${all}`, { params: { id: unknownId } }),
  {
    call: `DELETE ${one}`,
    params: { id: '$subject', system_name: 'PACS' },
    status: 200,
    shows: { external_ids: { XNAT: 'XNAT_S1' } },
  },
  notFound(`DELETE ${one}`, { params: { id: '$subject', system_name: 'PACS' } }),
  notFound(`DELETE ${one}`, { params: { id: '$subject', system_name: 'Nowhere' } }),
  notFound(`DELETE ${one}`, { params: { id: unknownId, system_name: 'XNAT' } }),
];

export const subjects: Step[] = [...resource, ...externalIds];
