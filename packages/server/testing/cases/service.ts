import type { serviceOperations } from '@milepost/api';
import { ambiguous, found, invalid, lastAdmin, missing } from './expectations.ts';
import type { Cases, SectionCases } from './matrix.ts';
import type { World } from './world.ts';

type Built = Pick<typeof serviceOperations, 'importConfig' | 'overwriteConfig'>;

const file = (config: object) => ({ body: { config_definition: JSON.stringify(config) } });
const storedUrl = (name: string, url: string) => ({
  query: 'select url from external_systems where system_name = $1',
  values: [name],
  rows: [{ url }],
});

const faulty: Cases = {
  'text that is no YAML': () => invalid({ body: { config_definition: '{' } }, '/config_definition'),
  'an unknown section': () => invalid(file({ rolls: [] }), '/config_definition'),
  'no definition': () => invalid({ body: {} }, '/config_definition'),
};

const unknownRole: Cases = {
  'a user with an unknown role, behind a new role': (world) => {
    const name = world.fresh('role');
    const user = { username: 'x', email: 'x@example.org', password: 'a sentence is fine', roles: ['nobody'] };
    return {
      ...missing(file({ roles: [{ name }], users: [user] }), '/config_definition'),
      stored: { query: 'select name from roles where name = $1', values: [name], rows: [] },
    };
  },
};

const twoAccounts = async (world: World) => {
  const [one, other] = [await world.user(), await world.user()];
  const user = { username: one.username, email: `${other.username}@example.org` };
  return ambiguous(file({ users: [user] }), '/config_definition');
};

export const serviceCases: SectionCases<Built> = {
  importConfig: {
    success: {
      'a new system beside one that exists': async (world) => {
        const [known, name] = [await world.system(), world.fresh('system')];
        const entries = [
          { system_name: name, url: 'https://new' },
          { system_name: known.name, url: 'https://new' },
        ];
        return {
          request: file({ external_systems: entries }),
          status: 201,
          body: { external_systems: [{ system_name: name, url: 'https://new' }], roles: [], users: [], scantypes: [] },
          stored: storedUrl(known.name, known.url),
        };
      },
    },
    validation: faulty,
    'missing reference': unknownRole,
    conflict: { 'username and e-mail of two users': twoAccounts },
  },
  overwriteConfig: {
    success: {
      'a system that exists': async (world) => {
        const { id, name } = await world.system();
        const system = { system_name: name, url: 'https://new' };
        return {
          ...found(file({ external_systems: [system] }), { external_systems: [{ id, ...system }], roles: [] }),
          stored: storedUrl(name, 'https://new'),
        };
      },
    },
    validation: faulty,
    'missing reference': unknownRole,
    conflict: {
      'username and e-mail of two users': twoAccounts,
      'the last admin, made inactive': () =>
        lastAdmin(file({ users: [{ username: 'admin', email: 'admin@example.org', active: false }] })),
    },
  },
};
