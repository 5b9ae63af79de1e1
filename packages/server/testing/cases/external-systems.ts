import type { externalSystemChangeOperations, externalSystemOperations } from '@milepost/api';
import { found, invalid, missingParts, noSuchId, taken, unknownParameter, invalidPaging } from './expectations.ts';
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
      'returns a page with one external system': async (world) => {
        const system = await world.system();
        return found({ query: { after: system.id - 1, limit: 1 } }, { external_systems: [shown(system)] });
      },
    },
    validation: invalidPaging(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getExternalSystemByName: {
    success: {
      'returns the external system with this name': async (world) => {
        const system = await world.system();
        return found({ params: { system_name: system.name } }, shown(system));
      },
    },
    validation: unknownParameter(byName),
    'missing reference': missingParts(byName, { system_name: 'unknown' }),
    conflict: readsOnly,
  },
  getExternalSystem: {
    success: {
      'returns an external system': async (world) => {
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
      'creates an external system': async (world) => {
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
      'rejects a missing name and a missing URL': () => invalid({ body: {} }, '/system_name', '/url'),
      'rejects an empty URL': () => invalid({ body: { system_name: 'x', url: '' } }, '/url'),
    },
    'missing reference': refersToNothing,
    conflict: {
      'rejects an existing name': async (world) =>
        taken({ body: { system_name: (await world.system()).name, url: 'https://x.example.org' } }, '/system_name'),
    },
  },
  updateExternalSystem: {
    success: {
      'changes the name': async (world) => {
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
      'changes the URL with the body of a GET response': async (world) => {
        const system = await world.system();
        const body = { ...shown(system), url: 'https://moved.example.org' };
        return found({ params: { id: system.id }, body }, body);
      },
    },
    validation: {
      'rejects a name that is not text': async (world) =>
        invalid({ params: await byId(world), body: { system_name: 5 } }, '/system_name'),
    },
    'missing reference': missingParts(byId, { id: noSuchId }, { url: 'https://x.example.org' }),
    conflict: {
      'rejects the name of another external system': async (world) =>
        taken({ params: await byId(world), body: { system_name: (await world.system()).name } }, '/system_name'),
    },
  },
};
