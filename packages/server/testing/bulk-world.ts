/** Bulk operations on experiments of chosen cohorts, for tests. */
import type { BulkKind } from '@milepost/api';
import { runBulkOperations, runSet } from '../src/engine/bulk/run-bulk-operations.ts';
import { createEngineWorld } from './engine-world.ts';
import { engineContext } from './engine-context.ts';
import type { Parts, TestServer } from './server.ts';

/** Users move experiments from `start` to `other` and back. */
const definition = `initial: start
states:
  - {label: start, transitions: [{destination: other, by: person}]}
  - {label: other, transitions: [{destination: start, by: person}]}
`;

export interface BulkCohort {
  id: number;
  ids: number[];
}

/** A dry run for all experiments, which refuses those without a failed run. */
export async function checkAllInBulk(server: TestServer): Promise<{ id: number }> {
  const body = { kind: 'retry', query: '', dry_run: true };
  const { body: made } = await server.call('createBulkOperation', { body });
  await runBulkOperations(engineContext(server, 'runBulkOperations'));
  return made;
}

export type BulkWorld = Awaited<ReturnType<typeof createBulkWorld>>;

export async function createBulkWorld(server: TestServer) {
  const world = createEngineWorld(server);
  const workflow_label = await world.importWorkflow(definition);
  const context = { ...engineContext(server, 'runBulkOperations'), errors: [] as unknown[] };
  context.onError = (error) => void context.errors.push(error);
  const read = async (id: number, as?: string) =>
    (await server.call('getBulkOperation', { params: { id }, ...(as !== undefined && { as }) })).body;
  return {
    ...world,
    ...createUsers(server),
    context,
    /** Works until nothing is due. */
    work: () => runBulkOperations(context),
    /** Does one set, without waiting until it is due. Returns whether there was one. */
    workOnce: async () => {
      await server.sql('update bulk_operations set next_at = now() where next_at > now()');
      return runSet(context);
    },
    /** A new cohort with experiments of one subject. */
    async cohortWith(count: number): Promise<BulkCohort> {
      const subject = await world.subject();
      const ids = [];
      for (let n = 0; n < count; n++) {
        const body = { label: world.fresh('experiment'), subject_id: subject.id, workflow_label };
        ids.push((await server.call('createExperiment', { body })).body.id as number);
      }
      return { id: subject.cohort.id, ids };
    },
    create: (kind: BulkKind, body: object, parts: Parts = {}) =>
      server.call('createBulkOperation', { ...parts, body: { kind, ...body } }),
    /** A move to `other` that was checked. */
    async checkedMove(ids: readonly number[], parts: Parts = {}): Promise<number> {
      const body = { kind: 'move', state: 'other', experiment_ids: ids, dry_run: true };
      const { status, body: made } = await server.call('createBulkOperation', { ...parts, body });
      if (status !== 201) throw new Error(JSON.stringify(made));
      await runBulkOperations(context);
      return made.id;
    },
    apply: (id: number, parts: Parts = {}, more: object = {}) =>
      server.call('applyBulkOperation', { params: { id }, ...parts, body: { reason: 'again', ...more } }),
    read,
    itemsOf: async (id: number, parts: Parts = {}) =>
      (await server.call('listBulkItems', { params: { id }, ...parts })).body.items,
    statesOf: (ids: readonly number[]) => Promise.all(ids.map((id) => world.stateOf(id))),
  };
}

const roleIn = (username: string, role: string, { id }: { id: number }) => ({
  username,
  role_name: role,
  cohort_id: id,
});

function createUsers(server: TestServer) {
  let count = 0;
  const grant = (username: string, role: 'user' | 'superuser', cohort: { id: number }) =>
    server.call('assignCohortRole', { params: roleIn(username, role, cohort) });
  return {
    grant,
    revoke: (username: string, role: 'user' | 'superuser', cohort: { id: number }) =>
      server.call('removeCohortRole', { params: roleIn(username, role, cohort) }),
    /** A user with roles in these cohorts. The role `user` can read, and `superuser` can also change experiments. */
    async userIn(roles: { user?: BulkCohort[]; superuser?: BulkCohort[] }) {
      const username = `person_${++count}`;
      const id = await server.addUser(username, []);
      for (const role of ['user', 'superuser'] as const)
        for (const cohort of roles[role] ?? []) await grant(username, role, cohort);
      return { id, username, as: { as: username } };
    },
  };
}
