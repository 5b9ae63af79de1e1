/** The experiment that the section on subjects created. It moves once. */
import { unknownId, notFound, type Step } from '../step.ts';

const resource: Step[] = [
  { call: 'GET /experiments', status: 200 },
  {
    call: 'GET /experiments',
    query: { scandate: '2026-02-17', subject_id: '$subject', state: 'arrived', offset: 0, limit: 1 },
    status: 200,
    shows: { 'experiments.length': 1, 'experiments.0.label': 'visit-1' },
  },
  { call: 'GET /experiments/{id}', params: { id: '$experiment' }, status: 200, shows: { label: 'visit-1' } },
  notFound('GET /experiments/{id}', { params: { id: unknownId } }),
  notFound('POST /experiments', { body: { label: 'x', subject_id: unknownId, workflow_label: 'brain_mri' } }),
  notFound('POST /experiments', { body: { label: 'x', subject_id: '$subject', workflow_label: 'Nowhere' } }),
];

const state = '/experiments/{id}/state';

const moves: Step[] = [
  { call: `GET ${state}`, params: { id: '$experiment' }, status: 200, shows: { 'state.label': 'arrived' } },
  notFound(`GET ${state}`, { params: { id: unknownId } }),
  notFound(`PUT ${state}`, { params: { id: '$experiment' }, body: { state_label: 'Nowhere' } }),
  { call: `PUT ${state}`, params: { id: '$experiment' }, body: { state_label: 'arrived' }, status: 409 },
  {
    call: `PUT ${state}`,
    params: { id: '$experiment' },
    body: { state_label: 'processed', freetext: 'by hand' },
    status: 200,
    shows: { success: true, 'state.label': 'processed' },
    alwaysEmpty: { error: 'a successful change has none' },
  },
];

const all = '/experiments/{id}/external_ids';
const one = '/experiments/{id}/external_ids/{system_name}';
const id = { id: '$experiment' };
const body = { external_id: 'XNAT_E1' };

/** The specification declares `external_ids` a string: the JSON text of the object. */
const externalIds: Step[] = [
  { call: `POST ${all}`, params: id, body: { external_ids: '{"XNAT":"XNAT_E0"}' }, status: 201 },
  { call: `POST ${all}`, params: id, body: { external_ids: '{"XNAT":"XNAT_E0"}' }, status: 200 },
  notFound(`POST ${all}`, { params: { id: unknownId }, body: { external_ids: '{"XNAT":"x"}' } }),
  notFound(`POST ${all}`, { params: id, body: { external_ids: '{"Nowhere":"x"}' } }),
  { call: `PUT ${one}`, params: { ...id, system_name: 'XNAT' }, body, status: 201 },
  { call: `PUT ${one}`, params: { ...id, system_name: 'XNAT' }, body, status: 200 },
  { call: `PUT ${one}`, params: { ...id, system_name: 'PACS' }, body, status: 201 },
  notFound(`PUT ${one}`, { params: { id: unknownId, system_name: 'XNAT' }, body }),
  notFound(`PUT ${one}`, { params: { ...id, system_name: 'Nowhere' }, body }),
  { call: `GET ${all}`, params: id, status: 200, shows: { external_ids: { PACS: 'XNAT_E1', XNAT: 'XNAT_E1' } } },
  notFound(`GET ${all}`, { params: { id: unknownId } }),
  { call: `DELETE ${one}`, params: { ...id, system_name: 'PACS' }, status: 200 },
  notFound(`DELETE ${one}`, { params: { ...id, system_name: 'PACS' } }),
  notFound(`DELETE ${one}`, { params: { id: unknownId, system_name: 'XNAT' } }),
];

const actions: Step[] = [
  { call: 'GET /actions', status: 200 },
  {
    call: 'GET /experiments/{id}/actions',
    params: id,
    status: 200,
    save: { creation: 'actions.0.id', move: 'actions.1.id' },
    shows: { 'actions.length': 2 },
  },
  {
    call: 'GET /actions/{id}',
    params: { id: '$creation' },
    status: 200,
    save: { entry: 'transition.id' },
    shows: { success: true, return_value: 'No callback for state' },
  },
  { call: 'GET /actions/{id}', params: { id: '$move' }, status: 200, shows: { freetext: 'by hand', success: false } },
  notFound('GET /actions/{id}', { params: { id: unknownId } }),
  {
    call: 'PUT /actions/{id}',
    params: { id: '$move' },
    body: { end_time: '2040-01-01T00:00:00Z', return_value: 'corrected', success: true },
    status: 200,
    shows: { end_time: '2040-01-01T00:00:00.000Z', return_value: 'corrected', success: true },
  },
  notFound('PUT /actions/{id}', { params: { id: unknownId }, body: { success: true } }),
];

export const experiments: Step[] = [...resource, ...moves, ...externalIds, ...actions];
