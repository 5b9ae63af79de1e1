/** Section 4, "External systems". */
import { missing, unknownId, type Operation } from '../operation.ts';
import { read } from '../factories.ts';
import type { Study } from '../study.ts';

export const externalSystems: Operation[] = [
  {
    operation: 'GET /external_systems',
    response: { external_systems: ['ExternalSystem'] },
    statuses: [200],
    valid: () => ({}),
  },
  {
    operation: 'GET /external_systems/by-name/{system_name}',
    response: 'ExternalSystem',
    statuses: [200, 404],
    valid: ({ system }) => ({ path: { system_name: system } }),
    values: { system_name: [(study: Study) => study.system, (study: Study) => study.archive] },
    calls: [missing('external system', { path: { system_name: 'Nowhere' } })],
  },
  {
    operation: 'GET /external_systems/{id}',
    response: 'ExternalSystem',
    statuses: [200, 404],
    valid: async ({ send }) => {
      const { external_systems: systems = [] } = await read(send, 'GET /external_systems');
      return { path: { id: systems[0]?.id ?? 0 } };
    },
    calls: [missing('external system', { path: { id: unknownId } })],
  },
];
