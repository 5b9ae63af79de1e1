import type { externalSystemChangeOperations, externalSystemOperations } from '@milepost/api';
import { found, invalid, missingParts, noSuchId, taken, unknownParameter, wrongPages } from './expectations.ts';
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

export const externalSystemChangeCases: SectionCases<typeof externalSystemChangeOperations> = {
  createExternalSystem: {
    success: {
      'name and url': async (world) => {
        const body = { system_name: world.fresh('system'), url: 'https://new.example.org' };
        return {
          request: { body },
          status: 201,
          body,
          stored: {
            query: 'select url, version from external_systems where system_name = $1',
            values: [body.system_name],
            rows: [{ url: body.url, version: '1' }],
          },
        };
      },
    },
    validation: {
      'neither name nor url': () => invalid({ body: {} }, '/system_name', '/url'),
      'an empty url': () => invalid({ body: { system_name: 'x', url: '' } }, '/url'),
    },
    'missing reference': refersToNothing,
    conflict: {
      'a name that another has': async (world) =>
        taken({ body: { system_name: (await world.system()).name, url: 'https://x.example.org' } }, '/system_name'),
    },
  },
  updateExternalSystem: {
    success: {
      'another name': async (world) => {
        const [{ id, url }, system_name] = [await world.system(), world.fresh('system')];
        return {
          ...found({ params: { id }, body: { system_name } }, { id, system_name, url }),
          stored: {
            query: 'select system_name, version from external_systems where id = $1',
            values: [id],
            rows: [{ system_name, version: '2' }],
          },
        };
      },
      'another url, and what GET answered': async (world) => {
        const system = await world.system();
        const body = { ...shown(system), url: 'https://moved.example.org' };
        return found({ params: { id: system.id }, body }, body);
      },
    },
    validation: {
      'a name of null': async (world) =>
        invalid({ params: await byId(world), body: { system_name: null } }, '/system_name'),
    },
    'missing reference': missingParts(byId, { id: noSuchId }, { url: 'https://x.example.org' }),
    conflict: {
      'the name of another': async (world) =>
        taken({ params: await byId(world), body: { system_name: (await world.system()).name } }, '/system_name'),
    },
  },
};
