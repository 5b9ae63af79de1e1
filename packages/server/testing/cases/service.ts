import type { serviceOperations } from '@milepost/api';
import { ambiguous, found, invalid, invalidDefinition, lastAdmin, missing } from './expectations.ts';
import { none, type Cases, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

type Operations = Pick<typeof serviceOperations, 'importConfig' | 'overwriteConfig' | 'importWorkflow'>;

const file = (config: object) => ({ body: { config_definition: JSON.stringify(config) } });
const storedUrl = (name: string, url: string) => ({
  query: 'select url from external_systems where system_name = $1',
  values: [name],
  rows: [{ url }],
});

const invalidFiles: Cases = {
  'rejects a text that is not YAML': () =>
    invalidDefinition({ body: { config_definition: '{' } }, '/config_definition'),
  'rejects an unknown section': () => invalidDefinition(file({ rolls: [] }), '/config_definition'),
  'rejects a missing definition': () => invalid({ body: {} }, '/config_definition'),
};

const unknownRole: Cases = {
  'imports nothing if a user has an unknown role': (world) => {
    const name = world.fresh('role');
    const user = { username: 'x', email: 'x@example.org', password: 'a sentence is fine', roles: ['unknown'] };
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

export const serviceCases: SectionCases<Operations> = {
  importConfig: {
    success: {
      'creates a new external system and keeps an existing one': async (world) => {
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
    validation: invalidFiles,
    'missing reference': unknownRole,
    conflict: { 'rejects the username of one user with the e-mail address of another': twoAccounts },
  },
  overwriteConfig: {
    success: {
      'overwrites an existing external system': async (world) => {
        const { id, name } = await world.system();
        const system = { system_name: name, url: 'https://new' };
        return {
          ...found(file({ external_systems: [system] }), { external_systems: [{ id, ...system }], roles: [] }),
          stored: storedUrl(name, 'https://new'),
        };
      },
    },
    validation: invalidFiles,
    'missing reference': unknownRole,
    conflict: {
      'rejects the username of one user with the e-mail address of another': twoAccounts,
      'does not deactivate the last administrator': () =>
        lastAdmin(file({ users: [{ username: 'admin', email: 'admin@example.org', active: false }] })),
    },
  },
  importWorkflow: {
    success: {
      'creates a workflow': (world) => {
        const label = world.fresh('workflow');
        return {
          request: { body: { workflow_definition: `label: ${label}\nstates: [{label: only}]` } },
          status: 201,
          body: { label },
          stored: {
            query: `select revision, states.label, states.retired from workflows join states on states.workflow_id = workflows.id
              where workflows.label = $1`,
            values: [label],
            rows: [{ revision: 1, label: 'only', retired: false }],
          },
        };
      },
    },
    validation: {
      'rejects a transition to an unknown state': () =>
        invalidDefinition(
          { body: { workflow_definition: 'label: a\nstates: [{label: a, transitions: [{destination: b}]}]' } },
          '/workflow_definition',
        ),
    },
    'missing reference': none('A definition only refers to its own states, so an unknown one is a validation error.'),
    conflict: {
      'does not remove a state that has an experiment': async (world) => {
        const { workflow } = await world.experiment();
        const definition = `label: ${workflow.label}\nstates: [{label: other}]`;
        return { request: { body: { workflow_definition: definition } }, status: 409, code: 'would_strand' };
      },
    },
  },
};
