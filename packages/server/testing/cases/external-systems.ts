import type { externalSystemOperations } from '@milepost/api';
import { found, missingParts, noSuchId, unknownParameter, wrongPages } from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const byId = async (world: World) => ({ id: (await world.system()).id });
const byName = async (world: World) => ({ system_name: (await world.system()).name });
const shown = ({ id, name, url }: Awaited<ReturnType<World['system']>>) => ({
  id,
  system_name: name,
  uri: `/api/v2/external_systems/${id}`,
  url,
});

export const externalSystemCases: SectionCases<typeof externalSystemOperations> = {
  listExternalSystems: {
    success: {
      'a page of one': async (world) => {
        const system = await world.system();
        return found({ query: { after: system.id - 1, limit: 1 } }, { external_systems: [shown(system)] });
      },
    },
    validation: wrongPages(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getExternalSystemByName: {
    success: {
      'an existing name': async (world) => {
        const system = await world.system();
        return found({ params: { system_name: system.name } }, shown(system));
      },
    },
    validation: unknownParameter(byName),
    'missing reference': missingParts(byName, { system_name: 'nobody' }),
    conflict: readsOnly,
  },
  getExternalSystem: {
    success: {
      'an existing id': async (world) => {
        const system = await world.system();
        return found({ params: { id: system.id } }, shown(system));
      },
    },
    validation: unknownParameter(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
};
