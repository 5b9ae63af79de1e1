/**
 * What uses an external system: the callbacks that name it, and the subjects and experiments with an ID there.
 *
 * @module-tag sql
 */
import { maxSystemCallbacks, maxSystemUses } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import type { Run } from '../../functions/callback-function.ts';
import { renderPlaceholders } from '../../functions/render-placeholders.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

async function createSystem(system_name = world.fresh('system')): Promise<{ id: number; system_name: string }> {
  const { status, body } = await server.call('createExternalSystem', {
    body: { system_name, url: 'https://x.example.org' },
  });
  expect(status).toBe(201);
  return body;
}

interface Row {
  system_name: string;
  callbacks: {
    count: number;
    workflows: number;
    first: { callback: { label: string }; state: { label: string }; workflow: { label: string } }[];
  };
  subjects: number | null;
  experiments: number | null;
}

async function rowOf({ id }: { id: number }, as = 'admin'): Promise<Row> {
  const { status, body } = await server.call('listExternalSystemRows', { query: { after: id - 1, limit: 1 }, as });
  expect(status).toBe(200);
  return body.external_systems[0];
}

const callbacksOf = async (system: { id: number }): Promise<string[]> =>
  (await rowOf(system)).callbacks.first.map(({ callback }) => callback.label);

const urlOf = ({ system_name }: { system_name: string }) => ({ url: `{{external_systems.${system_name}}}` });

/** A workflow with one callback in its only state. */
const calling = (callbackArguments: object, callbackFunction = 'http', label?: string) =>
  world.importWorkflow(
    `states: [{label: run, callbacks: [{label: c, function: ${callbackFunction}, callback_arguments: ${JSON.stringify(callbackArguments)}}]}]`,
    label,
  );

describe('the callbacks that use a system', () => {
  it.each([
    ['{{external_systems.NAME}}/data', 'its URL'],
    ['{{ external_systems.NAME }}', 'its URL, with spaces'],
    ['{{experiment.external_ids.NAME}}', 'the ID of the experiment'],
    ['{{subject.external_ids.NAME}}', 'the ID of the subject'],
    ['http://a/?x=$NAME/b', 'its URL in the legacy form'],
  ])('include one with %s: %s', async (text) => {
    const system = await createSystem(world.fresh('NAME').replaceAll(/\W/g, '_'));
    await calling({ url: 'https://a', body: { deep: [{ text: text.replace('NAME', system.system_name) }] } });
    expect((await rowOf(system)).callbacks).toMatchObject({ count: 1, workflows: 1 });
  });

  it.each(['NAME', 'NAME of an archive', '{{experiment.variables.NAME}}', '{{external_systems.NAME2}}', '$NAME2'])(
    'do not include one with %s',
    async (text) => {
      const system = await createSystem(world.fresh('NAME').replaceAll(/\W/g, '_'));
      await calling({ url: 'https://a', body: text.replace('NAME', system.system_name) });
      expect((await rowOf(system)).callbacks).toEqual({ count: 0, workflows: 0, first: [] });
    },
  );

  it('name the system that a run would use', async () => {
    const [castor, exact, quoted] = [
      await createSystem('Castor'),
      await createSystem('PACS'),
      await createSystem('A "b" \\c'),
    ];
    const other = await createSystem('Pacs');
    const given = { url: '$CASTOR', body: ['$PACS', '{{external_systems.A "b" \\c}}'] };
    await calling(given);
    const externalSystems = { Castor: 'castor', PACS: 'pacs', Pacs: 'other', 'A "b" \\c': 'quoted' };
    const object = { id: 1, apiUri: '', webUri: '', label: '', externalIds: {} };
    const source = { execution: object, action: object, experiment: object, subject: object, cohort: object };
    expect(renderPlaceholders(given, { ...source, externalSystems } as unknown as Run)).toEqual({
      url: 'castor',
      body: ['pacs', 'quoted'],
    });
    for (const used of [castor, exact, quoted]) expect(await callbacksOf(used)).toEqual(['c']);
    expect(await callbacksOf(other)).toEqual([]);
  });

  it('include those that create a task, by argument or by default', async () => {
    const [tasks, archive] = [await createSystem('TASKMANAGER'), await createSystem('XNAT')];
    const own = [await createSystem(), await createSystem()];
    const given = { task_base: 'a.json', task_info: {} };
    await calling(given, 'create_task');
    for (const system of [tasks, archive]) expect((await rowOf(system)).callbacks.count).toBe(1);
    const [taskmanager_external_system_name, xnat_external_system] = own.map(({ system_name }) => system_name);
    await calling({ ...given, taskmanager_external_system_name, xnat_external_system }, 'create_task');
    for (const system of [tasks, archive, ...own]) expect((await rowOf(system)).callbacks.count).toBe(1);
  });

  it('follow imports of the workflow, changes of the callback and new systems', async () => {
    const [system, other] = [await createSystem(), await createSystem()];
    const workflow = await calling(urlOf(system));
    expect((await rowOf(system)).callbacks.first).toMatchObject([
      { callback: { label: 'c' }, state: { label: 'run' }, workflow: { label: workflow } },
    ]);
    const [callback] = await server.sql<{ id: number }>(
      `select callbacks.id::int from callbacks join states on states.id = state_id join workflows on workflows.id = workflow_id
       where workflows.label = $1`,
      [workflow],
    );
    const body = { callback_arguments: JSON.stringify(urlOf(other)) };
    const changed = await server.call('updateCallback', { params: { id: callback?.id ?? 0 }, body });
    expect(changed.status).toBe(200);
    expect([await callbacksOf(system), await callbacksOf(other)]).toEqual([[], ['c']]);
    await world.importWorkflow('states: [{label: run}]', workflow);
    expect(await callbacksOf(other)).toEqual([]);
    const later = world.fresh('later');
    await calling(urlOf({ system_name: later }));
    expect(await callbacksOf(await createSystem(later))).toEqual(['c']);
  });

  it('are listed up to a limit, in the order of workflows and states, and all are counted', async () => {
    const system = await createSystem();
    const url = JSON.stringify(`{{external_systems.${system.system_name}}}`);
    const callback = (label: string) => `{label: ${label}, function: http, callback_arguments: {url: ${url}}}`;
    const labels = Array.from({ length: maxSystemCallbacks }, (_, n) => `c${n}`);
    const several = (...of: string[]) => `{label: run, callbacks: [${of.map(callback).join(', ')}]}`;
    const workflows = ['B', 'A'].map((first) => `${first} ${world.fresh('workflow')}`);
    await world.importWorkflow(`states: [${several('last')}]`, workflows[0]);
    await world.importWorkflow(`states: [${several(...labels)}]`, workflows[1]);
    const { callbacks } = await rowOf(system);
    expect(callbacks).toMatchObject({ count: maxSystemCallbacks + 1, workflows: 2 });
    expect(callbacks.first.map((shown) => shown.callback.label)).toEqual(labels);
    expect(callbacks.first[0]?.workflow.label).toBe(workflows[1]);
  });
});

const link = (table: 'subject' | 'experiment', system: { id: number }, id: number, more = '') =>
  server.sql(
    `insert into external_${table}_links (${table}_id, cohort_id, external_system_id, external_id)
     select ${table}s.id, cohort_id, $1, 'x' from ${table}s where ${table}s.id ${more === '' ? '= $2' : `>= $2 ${more}`}`,
    [system.id, id],
  );

describe('the subjects and experiments with an ID in a system', () => {
  it('are counted up to 1,000', async () => {
    const [system, unused] = [await createSystem(), await createSystem()];
    const { id: subjectId } = await world.subject();
    const { id: experimentId } = { id: await world.experimentIn('states: [{label: only}]') };
    await link('subject', system, subjectId);
    await link('experiment', system, experimentId);
    expect(await rowOf(system)).toMatchObject({ subjects: 1, experiments: 1 });
    expect(await rowOf(unused)).toMatchObject({ subjects: 0, experiments: 0 });
    const [first] = await server.sql<{ id: number }>(
      `with added as (insert into subjects (cohort_id, label) select min(cohort_id), 'capped ' || n
         from subjects, generate_series(1, $1::int) n group by n returning id) select min(id)::int as id from added`,
      [maxSystemUses + 5],
    );
    await link('subject', system, first?.id ?? 0, `and label like 'capped %'`);
    expect(await rowOf(system)).toMatchObject({ subjects: maxSystemUses, experiments: 1 });
  });

  it('are hidden from users with access to some cohorts, who see the rest', async () => {
    const system = await createSystem();
    const { id, cohort } = await world.subject();
    await link('subject', system, id);
    await calling({ url: `{{external_systems.${system.system_name}}}` });
    await server.addUser('carla', []);
    const params = { username: 'carla', role_name: 'user', cohort_id: cohort.id };
    expect((await server.call('assignCohortRole', { params })).status).toBeLessThan(300);
    const { subjects, experiments, ...rest } = await rowOf(system, 'carla');
    expect([subjects, experiments]).toEqual([null, null]);
    const { subjects: _all, experiments: _also, ...restOfAdmin } = await rowOf(system);
    expect(rest).toEqual(restOfAdmin);
  });
});
