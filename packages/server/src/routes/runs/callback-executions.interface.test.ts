/**
 * GET /callback_executions/{id} embeds related resources and reads only the requested fields.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execution } from '../../../testing/cases/callbacks.ts';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { sentPlan, statementsDuring } from '../../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import type { Call } from '../../http/call.ts';
import { everything, prune, readFields } from '../../http/field-mask.ts';
import { createLinks } from '../../links.ts';
import { getShownExecution } from '../../store/runs/shown-execution.ts';
import { allCohorts } from '../../store/scope.ts';
import { presentExecution, readExecution } from './executions.ts';

let server: TestServer;
let world: World;
let one: Awaited<ReturnType<typeof execution>>;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
  one = await execution(world);
  // Siblings in the same cohort, subject and callback, so that the lists have more than one entry.
  await server.call('createSubject', { body: { label: 'another', cohort_label: (await cohort()).label } });
  const body = {
    label: 'another',
    subject_id: one.experiment.subjectId,
    workflow_label: one.experiment.workflow.label,
  };
  await world.move((await server.call('createExperiment', { body })).body, 'checked');
  const { name } = await world.system();
  const urls = { external_urls: { [name]: 'https://archive.example.org' } };
  await server.call('addCohortExternalUrls', { params: { id: (await cohort()).id }, body: urls });
  const ids = { external_ids: { [name]: 'E1' } };
  await server.call('addExperimentExternalIds', { params: { id: one.experiment.id }, body: ids });
  await server.call('addSubjectExternalIds', { params: { id: one.experiment.subjectId }, body: ids });
  const variable = { params: { id: one.experiment.id, name: 'seen' }, body: { value: { a: 1 }, reason: 'shown' } };
  await server.call('setExperimentVariable', variable);
});
afterAll(() => server.stop());

const get = (fields?: string) =>
  server.call('getCallbackExecution', { params: { id: one.id }, ...(fields !== undefined && { fields }) });
const read = async (operation: 'getAction' | 'getCohort' | 'getSubject' | 'getExperiment', id: number) =>
  (await server.call(operation, { params: { id } })).body;
const cohort = async () => (await get('cohort')).body.cohort as { id: number; label: string };

describe('an execution', () => {
  it('embeds every related resource exactly as the URL of that resource returns it', async () => {
    const { name, url } = await world.system();
    const { body } = await get();
    expect(body.action).toEqual(await read('getAction', one.actionId));
    expect(body.cohort).toEqual(await read('getCohort', body.cohort.id));
    expect(body.subject).toEqual(await read('getSubject', one.experiment.subjectId));
    expect(body.experiment).toEqual(await read('getExperiment', one.experiment.id));
    const callbackId = Number(body.callback.uri.split('/').at(-1));
    expect(body.callback).toEqual((await server.call('getCallback', { params: { id: callbackId } })).body);
    expect(body.external_systems).toMatchObject({ [name]: url });
    expect([body.cohort.subjects.length, body.subject.experiments.length, body.callback.executions.length]).toEqual([
      2, 2, 2,
    ]);
  });

  it('shows its times, logs and values as stored', async () => {
    const { id } = await execution(world);
    await server.sql(
      `update callback_executions set status = 'finished', result = 'failed', run_start = '2040-01-01T00:00:00Z',
         wait_start = '2040-01-01T00:00:01Z', finished = '2040-01-01T00:00:02Z', attempt = 2, last_error = 'it broke',
         run_log = 'ran', result_log = 'seen', result_values = '{"a": [1, null]}' where id = $1`,
      [id],
    );
    const { body } = await server.call('getCallbackExecution', { params: { id } });
    expect(body).toMatchObject({
      status: 'finished',
      result: 'failed',
      run_start: '2040-01-01T00:00:00.000Z',
      wait_start: '2040-01-01T00:00:01.000Z',
      finished: '2040-01-01T00:00:02.000Z',
      attempt: 2,
      next_attempt_at: null,
      last_error: 'it broke',
      run_log: 'ran',
      result_log: 'seen',
      result_values: { a: [1, null] },
    });
  });
});

/** Layouts are stored in the background, and their statements would be counted too. */
const workflowsWithoutLayout = () => server.sql('select id from workflows where layout is null');

/** What a request reads besides the account: the aliases in the statement that gave rows, and the tables of the lists. */
async function readsFor(fields: string) {
  await expect.poll(workflowsWithoutLayout).toEqual([]);
  await get('id');
  const sent = await statementsDuring(() => get(fields), /./);
  const [statement, ...lists] = sent.filter(({ text }) => !text.includes('from "users"'));
  const plan = await sentPlan(server, statement ?? { text: '', values: [] }, 'force_generic_plan');
  const scanned = plan.filter(({ Alias, 'Actual Rows': rows }) => Alias !== undefined && rows > 0);
  return {
    // PostgreSQL numbers the aliases of a table that occurs several times.
    scanned: [...new Set(scanned.map(({ Alias = '' }) => Alias.replace(/_\d+$/, '')))]
      .filter((alias) => !always.has(alias))
      .toSorted(),
    lists: lists.map(({ text }) => /from "(\w+)"/.exec(text)?.[1]),
  };
}

/** The execution and what its cohort and its labels follow from. */
const always = new Set(['one', 'actions', 'experiments', 'subjects']);

describe('X-Fields on an execution', () => {
  it.each<[string, string[], string[]]>([
    ['id,status,attempt', [], []],
    ['run_log', [], []],
    ['action{success}', [], []],
    ['action{executions}', ['sibling'], []],
    ['callback{label,state}', ['callback_state', 'callbacks', 'version', 'workflows'], []],
    ['callback{executions}', ['callback_state', 'callbacks', 'version', 'workflows'], ['callback_executions']],
    ['cohort{label}', ['cohorts'], []],
    ['cohort{external_urls}', ['cohort_urls', 'cohorts', 'external_systems'], []],
    ['cohort{subjects}', ['cohorts'], ['subjects']],
    ['subject{label,cohort}', ['cohorts'], []],
    ['experiment{label,state}', ['states'], []],
    ['experiment{variable_map}', ['states', 'variable'], []],
    ['external_systems', ['external_systems'], []],
    ['{status,experiment{label}}', ['states'], []],
  ])('limits the tables read to those needed for %s', async (fields, scanned, lists) => {
    expect(await readsFor(fields)).toEqual({ scanned, lists });
  });

  it('reads logs and values only if they are requested', async () => {
    const outputs = { run_log: null, result_log: null, result_values: null };
    const { db } = server.database;
    expect(await getShownExecution(db, allCohorts, one.id, [])).toMatchObject(outputs);
    const logs = await getShownExecution(db, allCohorts, one.id, ['run_log']);
    expect(logs).toMatchObject({ ...outputs, run_log: expect.any(String) });
  });

  it('selects fields of embedded resources', async () => {
    const { body } = await get('{id,cohort{subjects{id}},experiment{state{label}}}');
    const subjects = [{ id: one.experiment.subjectId }, { id: expect.any(Number) }];
    expect(body).toEqual({ id: one.id, cohort: { subjects }, experiment: { state: { label: 'checked' } } });
  });
});

/** A program that authenticates with the secret has no account. */
const presentToProgram = async (fields = everything) => {
  const links = createLinks({ basePath: '/api/v2', publicUrl: () => 'https://milepost.example.org' });
  const call = { database: server.database, links, fields, account: { scope: allCohorts } } as unknown as Call;
  const row = await readExecution(call, one.id);
  return JSON.parse(JSON.stringify(prune(fields, await presentExecution(call, row, { own: true }))));
};

describe("a program with the execution's secret", () => {
  it('sees only its own entries in lists, and sees all other fields like any caller', async () => {
    const [{ body: seen }, own] = [await get(), await presentToProgram()];
    const { subjectId, id, label } = one.experiment;
    expect(own.cohort.subjects).toEqual(
      seen.cohort.subjects.filter((subject: { id: number }) => subject.id === subjectId),
    );
    expect(own.cohort.subjects).toHaveLength(1);
    expect(own.subject.experiments).toEqual([{ id, label, uri: `/api/v2/experiments/${id}` }]);
    expect(own.callback.executions).toEqual([{ id: one.id, uri: `/api/v2/callback_executions/${one.id}` }]);
    const withoutLists = '{*,cohort{id,label,description,external_urls},subject{label},callback{label,condition}}';
    expect(await presentToProgram(readFields(withoutLists))).toEqual((await get(withoutLists)).body);
  });
});
