/** What cases are made of: people with exactly chosen rights, and fresh rows under names that nothing else has. */
import { permissions, type Access, type OperationName, type Permission } from '@milepost/api';
import type { TestServer } from '../server.ts';

export interface Labelled {
  id: number;
  label: string;
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
    const its = await cohort();
    return { ...(await create('createSubject', { label: fresh('subject'), cohort_label: its.label })), cohort: its };
  };
  return {
    fresh,
    cohort,
    subject,
    sql: server.sql,
    experimentOf: (owner: { id: number }) => experimentOf(insert, fresh, owner),
    async system() {
      const name = fresh('system');
      const url = `https://${name.replace(' ', '-')}.example.org`;
      const id = await insert('insert into external_systems (system_name, url) values ($1, $2) returning id', [
        name,
        url,
      ]);
      return { id, name, url };
    },
    async user(...rights: Permission[]) {
      const username = fresh('user').replace(' ', '_');
      return { id: await server.addUserWith(username, ...rights), username };
    },
    people: createCallers(server),
  };
}

type Insert = (text: string, values: unknown[]) => Promise<number>;

/** Until experiments can be created over HTTP: one of a workflow with a single state. */
async function experimentOf(insert: Insert, fresh: (kind: string) => string, owner: { id: number }): Promise<Labelled> {
  const workflow = await insert('insert into workflows (label) values ($1) returning id', [fresh('workflow')]);
  const state = await insert(
    `insert into states (workflow_id, label, position) values ($1, 'arrived', 0) returning id`,
    [workflow],
  );
  const label = fresh('experiment');
  const id = await insert(
    `insert into experiments (subject_id, cohort_id, workflow_id, state_id, label)
     select id, cohort_id, $2, $3, $4 from subjects where id = $1 returning id`,
    [owner.id, workflow, state, label],
  );
  return { id, label };
}

const needed = (access: Access) => ('permission' in access ? access.permission : undefined);

/** The usernames of people who have just what an operation needs, or everything but that. Each is made once. */
function createCallers(server: TestServer) {
  const made = new Map<string, Promise<number>>();
  const once = async (username: string, make: () => Promise<number>) => {
    if (!made.has(username)) made.set(username, make());
    const id = await made.get(username);
    return { username, id: id ?? 0 };
  };
  return {
    having: (access: Access) => {
      const permission = needed(access);
      const username = `has_${permission ?? 'a_role'}`;
      return once(username, () => server.addUserWith(username, ...(permission === undefined ? [] : [permission])));
    },
    lacking: (access: Access) => {
      const permission = needed(access);
      const username = `lacks_${permission ?? 'a_role'}`;
      return once(username, async () => {
        const id = await server.addUserWith(username, ...permissions.filter((other) => other !== permission));
        if (permission === undefined) await server.sql('delete from user_roles where user_id = $1', [id]);
        return id;
      });
    },
  };
}
