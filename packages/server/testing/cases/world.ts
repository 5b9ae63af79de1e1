/** Creates the data for test cases: users with chosen permissions, and rows with unique names. */
import type { BuiltInRole } from '../../../api/testing/callers.ts';
import { permissions, type Access, type OperationName, type Permission } from '@milepost/api';
import type { TestServer } from '../server.ts';

export interface Labelled {
  id: number;
  label: string;
}

export interface Experiment extends Labelled {
  subjectId: number;
  workflow: Workflow;
}

export type World = ReturnType<typeof createWorld>;

export function createWorld(server: TestServer) {
  let count = 0;
  const fresh = (kind: string) => `${kind} ${++count}`;
  const insert = async (text: string, values: unknown[]): Promise<number> => {
    const [row] = await server.sql<{ id: string }>(text, values);
    return Number(row?.id);
  };
  const create = async (name: OperationName, body: object): Promise<Labelled> =>
    (await server.call(name, { body })).body;

  const cohort = (): Promise<Labelled> => create('createCohort', { label: fresh('cohort') });
  const subject = async (): Promise<Labelled & { cohort: Labelled }> => {
    const owner = await cohort();
    const body = { label: fresh('subject'), cohort_label: owner.label };
    return { ...(await create('createSubject', body)), cohort: owner };
  };
  const experimentOf = async (owner: { id: number }): Promise<Experiment> => {
    const workflow = await importWorkflow(server, fresh('workflow'));
    const body = { label: fresh('experiment'), subject_id: owner.id, workflow_label: workflow.label };
    return { ...(await create('createExperiment', body)), subjectId: owner.id, workflow };
  };
  return {
    fresh,
    cohort,
    subject,
    sql: server.sql,
    call: server.call,
    workflow: () => importWorkflow(server, fresh('workflow')),
    experimentOf,
    experiment: async () => experimentOf(await subject()),
    move: ({ id }: { id: number }, state: string) =>
      server.call('setExperimentState', { params: { id }, body: { state_label: state } }),
    async system() {
      const name = fresh('system');
      const url = `https://${name.replace(' ', '-')}.example.org`;
      const id = await insert('insert into external_systems (system_name, url) values ($1, $2) returning id', [
        name,
        url,
      ]);
      return { id, name, url };
    },
    async scantype() {
      const protocol = fresh('protocol');
      const id = await insert(`insert into scantypes (modality, protocol) values ('MR', $1) returning id`, [protocol]);
      return { id, modality: 'MR', protocol };
    },
    async user(...granted: Permission[]) {
      const username = fresh('user').replace(' ', '_');
      return { id: await server.addUserWith(username, ...granted), username };
    },
    async inactiveAdmin() {
      const username = fresh('inactive').replace(' ', '_');
      return { id: await server.addUser(username, ['admin'], false), username };
    },
    ...createClaims(server),
    callers: createCallers(server, cohort),
  };
}

/** Claims executions of the callback in `definition` and stores their secrets. */
function createClaims(server: TestServer) {
  const secrets = new Map<number, string>();
  /** Claims all queued executions. */
  const claim = async (as?: string): Promise<void> => {
    const body = { queues: ['checks'], max: 100 };
    const answer = await server.call('claimExecutions', { body, ...(as !== undefined && { as }) });
    const claims: { execution: { id: number }; secret: string }[] = answer.body.claims;
    for (const { execution, secret } of claims) secrets.set(execution.id, secret);
    if (claims.length > 0) await claim(as);
  };
  return {
    claim,
    secretOf: async (id: number): Promise<string> => {
      if (!secrets.has(id)) await claim();
      const secret = secrets.get(id);
      if (secret === undefined) throw new Error(`Execution ${id} could not be claimed.`);
      return secret;
    },
  };
}

export interface Workflow extends Labelled {
  /** The ids of its states, by label. */
  states: Record<string, number>;
}

/** Leads from `arrived` to `checked`, which has a callback, or to `rejected` if a variable is set. */
const definition = (label: string) => `
label: ${JSON.stringify(label)}
states:
  - label: arrived
    freetext: Scans are in the archive
    transitions:
      - {destination: checked}
      - {destination: rejected, condition: "experiment.variables['unusable'] == true"}
  - label: checked
    callbacks:
      - {label: check, function: worker, callback_arguments: {queue: checks}}
  - label: rejected
`;

async function importWorkflow(server: TestServer, label: string): Promise<Workflow> {
  const { body } = await server.call('importWorkflow', { body: { workflow_definition: definition(label) } });
  const { body: listed } = await server.call('listWorkflowStates', { params: { workflow_label: label } });
  const states = (listed.states as Labelled[]).map((state): [string, number] => [state.label, state.id]);
  return { id: body.id, label, states: Object.fromEntries(states) };
}

/** The permission that the operation requires. Where any is enough, the one of the role `user`. */
const needed = (access: Access): Permission => ('permission' in access ? access.permission : undefined) ?? 'user_read';

/** Every other permission, or, where any is enough, only an unknown one. */
const allOthers = (access: Access): readonly string[] =>
  'permission' in access && access.permission !== undefined
    ? permissions.filter((other) => other !== access.permission)
    : ['sample_fly'];

const forAllCohorts = `
  insert into cohort_roles (user_id, role_id, cohort_id)
  select held.user_id, held.role_id, cohorts.id
  from (select distinct user_id, role_id from cohort_roles where user_id = $1) as held cross join cohorts
  on conflict do nothing`;

/** Creates, once each, users with only the required permission, with every other permission, or with built-in roles. */
function createCallers(server: TestServer, cohort: () => Promise<Labelled>) {
  const made = new Map<string, Promise<number>>();
  const once = async (username: string, make: () => Promise<number>) => {
    if (!made.has(username)) made.set(username, make());
    const id = await made.get(username);
    return { username, id: id ?? 0 };
  };
  /** Limits the roles of the user to a new cohort. */
  const forOneCohort = async (id: number) => {
    const { id: cohortId } = await cohort();
    await server.sql(
      `with removed as (delete from user_roles where user_id = $1 returning role_id)
       insert into cohort_roles (user_id, role_id, cohort_id) select $1, removed.role_id, $2 from removed`,
      [id, cohortId],
    );
    return id;
  };
  return {
    withRoles: (roles: readonly BuiltInRole[]) => {
      const username = ['with', ...roles, 'role'].join('_');
      return once(username, () => server.addUser(username, [...roles]));
    },
    withPermission: (access: Access) => {
      const username = `has_${needed(access)}`;
      return once(username, () => server.addUserWith(username, needed(access)));
    },
    /** Has the permission in every existing cohort, or in an empty cohort only. */
    withPermissionForCohorts: async (access: Access, which: 'all' | 'another') => {
      const username = `has_${needed(access)}_for_${which}`;
      const user = await once(username, async () => forOneCohort(await server.addUserWith(username, needed(access))));
      if (which === 'all') await server.sql(forAllCohorts, [user.id]);
      return user;
    },
    adminForCohorts: async () => {
      const user = await once('admin_for_all', async () =>
        forOneCohort(await server.addUser('admin_for_all', ['admin'])),
      );
      await server.sql(forAllCohorts, [user.id]);
      return user;
    },
    withoutPermission: (access: Access) => {
      const username = `lacks_${needed(access)}`;
      return once(username, () => server.addUserWith(username, ...allOthers(access)));
    },
  };
}
