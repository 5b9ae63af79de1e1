/**
 * External links and external IDs are two views of one table, for experiments and for subjects.
 *
 * @module-tag sql
 */
import type { OperationName } from '@milepost/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type Labelled, type World } from '../../../testing/cases/world.ts';
import { tablesRead } from '../../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

interface Kind {
  owner: 'experiment' | 'subject';
  field: string;
  list: OperationName;
  create: OperationName;
  replace: OperationName;
  get: OperationName;
  ids: OperationName;
  setId: OperationName;
  deleteId: OperationName;
  /** The status of a PUT that writes. */
  written: 200 | 201;
}

const kinds: Kind[] = [
  {
    owner: 'experiment',
    field: 'experiment',
    list: 'listExternalExperimentLinks',
    create: 'createExternalExperimentLink',
    replace: 'replaceExternalExperimentLink',
    get: 'getExternalExperimentLink',
    ids: 'getExperimentExternalIds',
    setId: 'setExperimentExternalId',
    deleteId: 'deleteExperimentExternalId',
    written: 200,
  },
  {
    owner: 'subject',
    field: 'subject_id',
    list: 'listExternalSubjectLinks',
    create: 'createExternalSubjectLink',
    replace: 'replaceExternalSubjectLink',
    get: 'getExternalSubjectLink',
    ids: 'getSubjectExternalIds',
    setId: 'setSubjectExternalId',
    deleteId: 'deleteSubjectExternalId',
    written: 201,
  },
];

const withIds = (external_ids: object) => ({ external_ids });

describe.each(kinds)(
  'external $owner links',
  ({ owner, field, list, create, replace, get, ids, setId, deleteId, written }) => {
    let target: Labelled;
    let system: Awaited<ReturnType<World['system']>>;
    beforeEach(async () => {
      [target, system] = [await world[owner](), await world.system()];
    });
    const table = `external_${owner}_links`;
    const body = (external_id: string) => ({ [field]: target.id, external_system: system.name, external_id });
    const read = async (id: number) => server.call(get, { params: { id } });
    const externalIds = async () => (await server.call(ids, { params: { id: target.id } })).body.external_ids;
    const byName = () => ({ id: target.id, system_name: system.name });
    const idMap = (text: string) => ({ [system.name]: text });

    it('are also readable and writable as external IDs, and keep their id until they are removed', async () => {
      const { id } = (await server.call(create, { body: body('a') })).body;
      expect(await externalIds()).toEqual({ [system.name]: 'a' });
      await server.call(setId, { params: byName(), body: { external_id: 'b' } });
      expect((await read(id)).body).toMatchObject({ id, external_id: 'b' });
      expect((await server.call(replace, { body: body('c') })).body).toMatchObject({ id, external_id: 'c' });
      expect(await externalIds()).toEqual({ [system.name]: 'c' });
      await server.call(deleteId, { params: byName() });
      expect((await read(id)).status).toBe(404);
      expect((await server.call(create, { body: body('d') })).body.id).toBeGreaterThan(id);
    });

    it('are replaced by PUT, which returns 200 if nothing changes', async () => {
      const statuses = [];
      for (const text of ['a', 'b', 'b']) statuses.push((await server.call(replace, { body: body(text) })).status);
      expect(statuses).toEqual([written, written, 200]);
    });

    it('are recorded in the history of their owner, with an event in its cohort', async () => {
      await server.call(create, { body: body('a') });
      await server.call(replace, { body: body('b') });
      const history = await server.sql(
        `select operation, object_kind, before, after from history_with_values where operation = any($1) and object_id = $2 order by id`,
        [[create, replace], target.id],
      );
      expect(history).toEqual([
        { operation: create, object_kind: owner, before: withIds({}), after: withIds(idMap('a')) },
        { operation: replace, object_kind: owner, before: withIds(idMap('a')), after: withIds(idMap('b')) },
      ]);
      const events = await server.sql(
        `select kind, events.cohort_id = ${owner}s.cohort_id as of_its_cohort from events
       join ${owner}s on ${owner}s.id = object_id where object_kind = $1 and object_id = $2 and kind = any($3) order by events.id`,
        [owner, target.id, [create, replace]],
      );
      expect(events).toEqual([create, replace].map((kind) => ({ kind, of_its_cohort: true })));
    });

    it('change neither version nor history if the external ID is unchanged or the request is rejected', async () => {
      await server.call(create, { body: body('a') });
      const state = () =>
        server.sql(
          `select version, (select count(*) from history) as history, (select count(*) from events) as events,
                (select sum(version) from ${table}) as links from ${owner}s where id = $1`,
          [target.id],
        );
      const before = await state();
      expect((await server.call(replace, { body: body('a') })).status).toBe(200);
      expect((await server.call(create, { body: body('b') })).status).toBe(409);
      expect(await state()).toEqual(before);
    });

    it('are created once by twenty concurrent POST requests, of which nineteen get 409', async () => {
      const responses = Array.from({ length: 20 }, (_, index) => server.call(create, { body: body(String(index)) }));
      const seen = (await Promise.all(responses)).map(({ status }) => status);
      expect(seen.toSorted((a, b) => a - b)).toEqual([201, ...Array<number>(19).fill(409)]);
    });

    it('are created once by twenty concurrent PUT requests', async () => {
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, index) => server.call(replace, { body: body(String(index)) })),
      );
      expect(responses.map(({ status }) => status)).toEqual(Array<number>(20).fill(written));
      expect(new Set(responses.map((response) => response.body.id)).size).toBe(1);
    });

    it('reject a duplicate with a pointer to the field that names the system', async () => {
      await server.call(create, { body: body('a') });
      const { external_system: external_system_name, ...others } = body('b');
      const { status, body: problem } = await server.call(create, { body: { ...others, external_system_name } });
      expect(status).toBe(409);
      const detail = `The ${owner} already has an ID in ${system.name}. Use PUT to replace it.`;
      expect(problem.errors).toEqual([{ pointer: '/external_system_name', detail }]);
    });

    it.each([
      [`${table}{id,external_id,${owner}{id,uri},external_system{id}}`, [table]],
      [`${table}{${owner}{label}}`, [`${owner}s`, table]],
      [`${table}{external_system{url}}`, [table, 'external_systems']],
      ['*', [`${owner}s`, table, 'external_systems']],
    ])('are listed with X-Fields %s by reading only the tables %j', async (fields, tables) => {
      const { id } = (await server.call(create, { body: body('a') })).body;
      const readList = async () => {
        const response = await server.call(list, { query: { after: id - 1 }, fields });
        expect(response.body[table]).toHaveLength(1);
      };
      expect(await tablesRead(table, readList)).toEqual(tables.toSorted());
    });

    it('are returned with only the requested fields after a write', async () => {
      const fields = `{external_id,${owner}{label},external_system{url}}`;
      const { body: shown } = await server.call(create, { body: body('a'), fields });
      expect(shown).toEqual({
        external_id: 'a',
        [owner]: { label: target.label },
        external_system: { url: system.url },
      });
    });

    it('are listed completely and in order, even if there are thousands', async () => {
      await server.sql(
        `with made as (insert into external_systems (system_name, url) select $2 || n, 'https://x' from generate_series(1, 2500) n returning id)
       insert into ${table} (${owner}_id, cohort_id, external_system_id, external_id)
       select ${owner}s.id, cohort_id, made.id, 'many' from ${owner}s, made where ${owner}s.id = $1`,
        [target.id, world.fresh('many')],
      );
      const { body: response } = await server.call(list);
      const shown = response[table] as { id: number; external_id: string }[];
      const stored = await server.sql<{ id: string }>(`select id from ${table} order by id`);
      expect(shown.map(({ id }) => id)).toEqual(stored.map(({ id }) => Number(id)));
      expect(shown.filter(({ external_id: text }) => text === 'many')).toHaveLength(2500);
    });
  },
);

describe('a condition', () => {
  const definition = `
label: linked
states:
  - {label: arrived, transitions: [{destination: known, condition: "experiment.external_ids['ARCHIVE'] == 'E1'"}]}
  - {label: known}
`;

  it('sees an external link as soon as the link exists', async () => {
    await server.call('importWorkflow', { body: { workflow_definition: definition } });
    await server.call('createExternalSystem', { body: { system_name: 'ARCHIVE', url: 'https://archive' } });
    const { id: subject_id } = await world.subject();
    const experiment = { label: 'linked', subject_id, workflow_label: 'linked' };
    const { id } = (await server.call('createExperiment', { body: experiment })).body;
    const move = () => server.call('setExperimentState', { params: { id }, body: { state_label: 'known' } });
    expect((await move()).status).toBe(409);
    const link = { experiment: 'linked', external_system: 'ARCHIVE', external_id: 'E1' };
    await server.call('createExternalExperimentLink', { body: link });
    expect((await move()).status).toBe(200);
  });
});
