/** The workflow that the section on service operations imported, with its experiment. */
import { unknownId, notFound, type Step } from '../step.ts';

const names = { workflow_label: 'brain_mri', state_label: 'processed' };
const states = '/workflows/{workflow_label}/states';

export const workflows: Step[] = [
  { call: 'GET /workflows', status: 200, shows: { 'workflows.0.label': 'brain_mri' } },
  { call: 'GET /workflows/by-label/{label}', params: { label: 'brain_mri' }, status: 200 },
  notFound('GET /workflows/by-label/{label}', { params: { label: 'Nowhere' } }),
  { call: 'GET /workflows/{id}', params: { id: '$workflow' }, status: 200, shows: { label: 'brain_mri' } },
  notFound('GET /workflows/{id}', { params: { id: unknownId } }),
  {
    call: `GET ${states}`,
    params: names,
    status: 200,
    shows: { 'states.length': 2 },
    save: { processed: 'states.1.id' },
  },
  { call: `GET ${states}/{state_label}`, params: names, status: 200, shows: { label: 'processed' } },
  notFound(`GET ${states}/{state_label}`, { params: { ...names, state_label: 'Nowhere' } }),
  notFound(`GET ${states}/{state_label}`, { params: { ...names, workflow_label: 'Nowhere' } }),
  { call: 'GET /states', status: 200 },
  {
    call: 'GET /states/{id}',
    params: { id: '$processed' },
    status: 200,
    shows: { 'workflow.label': 'brain_mri', 'experiments.0.label': 'visit-1' },
  },
  notFound('GET /states/{id}', { params: { id: unknownId } }),
  { call: 'GET /states/{id}/experiments', params: { id: '$processed' }, status: 200 },
  notFound('GET /states/{id}/experiments', { params: { id: unknownId } }),
  { call: 'GET /transitions', status: 200, save: { transition: 'transitions.0.id' } },
  { call: 'GET /transitions/{id}', params: { id: '$transition' }, status: 200 },
  { call: 'GET /transitions/{id}', params: { id: '$entry' }, status: 200, shows: { 'source_state.label': 'arrived' } },
  notFound('GET /transitions/{id}', { params: { id: unknownId } }),
];
