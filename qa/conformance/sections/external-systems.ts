import { unknownId, notFound, type Step } from '../step.ts';

export const externalSystems: Step[] = [
  { call: 'GET /external_systems', status: 200, save: { system: 'external_systems.0.id' } },
  { call: 'GET /external_systems/{id}', params: { id: '$system' }, status: 200, shows: { system_name: 'XNAT' } },
  notFound('GET /external_systems/{id}', { params: { id: unknownId } }),
  {
    call: 'GET /external_systems/by-name/{system_name}',
    params: { system_name: 'PACS' },
    status: 200,
    shows: { url: 'https://pacs.example.org' },
  },
  notFound('GET /external_systems/by-name/{system_name}', { params: { system_name: 'Nowhere' } }),
];
