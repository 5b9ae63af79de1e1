/** Tests the function `create_task` with a small task manager that reports back. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRun, testSecret } from '../../testing/callback-run.ts';
import { startTaskManager, type TaskManager } from '../../testing/counterparts/task-manager.ts';
import { startWebServer, type WebServer } from '../../testing/counterparts/web-server.ts';
import { readAllowedTarget } from '../config/targets.ts';
import { createOutgoing } from '../outgoing/create-outgoing.ts';
import { PermanentFailure, TemporaryFailure, type Run } from './callback-function.ts';
import { createFunctions } from './index.ts';

const place = mkdtempSync(join(tmpdir(), 'milepost-tasks-'));
const folder = join(place, 'tasks');
const write = (name: string, text: string) => writeFileSync(join(place, name), text);

let taskManager: TaskManager;
let other: WebServer;
beforeAll(async () => {
  [taskManager, other] = await Promise.all([startTaskManager(), startWebServer()]);
  mkdirSync(join(folder, 'inner'), { recursive: true });
  mkdirSync(join(place, 'other-tasks'));
  write(
    'tasks/qa.json',
    '{"scan": "$SYSTEM_URL/data/experiments/$EXPERIMENT_ID",\n "of": "${SUBJECT_ID} $LABEL", "cost": "$$5 $OTHER"}',
  );
  write('tasks/label.txt', 'Look at "$LABEL"');
  write('tasks/plain.json', '{}');
  write('tasks/inner/deep.json', '{"deep": true}');
  write('tasks/long.txt', 'x'.repeat(1024 * 1024 + 1));
  write('outside.json', '{"outside": true}');
  write('other-tasks/other.json', '{"other": true}');
  symlinkSync(join(place, 'outside.json'), join(folder, 'link.json'));
  symlinkSync(place, join(folder, 'up'));
  symlinkSync('qa.json', join(folder, 'inside-link.json'));
});
afterAll(async () => {
  await Promise.all([taskManager.stop(), other.stop()]);
  rmSync(place, { recursive: true });
});

const functionsWith = (taskFolder: string | undefined) => {
  const outgoing = createOutgoing({ allow: ['http://127.0.0.1:*'].map(readAllowedTarget) });
  return createFunctions({ outgoing, mail: undefined, commands: new Map(), taskFolder });
};
const call = (given: Record<string, unknown>, more: Partial<Run> = {}) => {
  const externalSystems = { XNAT: 'https://xnat.example.org/', TASKMANAGER: `${taskManager.origin}/` };
  const made = makeRun({ task_info: { project: 'brain' }, ...given }, { externalSystems, ...more });
  return { ...made, ended: functionsWith(folder).create_task(made.run) };
};
const failureOf = (ended: Promise<unknown>) => ended.catch((error: unknown) => error);

describe('create_task', () => {
  const info = {
    project: 'brain',
    application_name: 'ViewR',
    application_version: '5.1',
    template: 'qa',
    tags: ['QA'],
  };

  it('creates a task with the URL and the secret for the report', async () => {
    const { lines, ended } = call({ task_base: 'qa.json', task_info: { ...info, content: 'not this' } });
    const content =
      '{"scan": "https://xnat.example.org/data/experiments/XNAT_E00003",\n "of": "XNAT_S00002 exp_3", "cost": "$5 $OTHER"}';
    const sent = {
      ...info,
      content,
      callback_url: 'https://milepost.example.org/api/v2/callback_executions/7',
      callback_content: `{"status":"finished","result":"success","secret_key":"${testSecret}"}`,
      generator_url: 'https://milepost.example.org/callback_executions/7',
      tracking_id: 'exp_3',
    };
    const { values, result } = await ended;
    expect(taskManager.tasks.at(-1)).toEqual(sent);
    expect(result).toBe('success');
    expect(values).toEqual({
      response_status_code: 201,
      response_text: `{"uri":"${String(values['task_uri'])}"}`,
      task_info: { ...sent, callback_content: sent.callback_content.replace(testSecret, '(hidden)') },
      task_uri: `/api/v1/tasks/${taskManager.tasks.length}`,
    });
    expect(lines).toEqual([expect.stringMatching(/^POST http:\/\/127\.0\.0\.1:\d+\/api\/v1\/tasks: 201 in \d+ ms$/)]);
  });

  it('creates a task that the task manager can report as done with the secret', async () => {
    const execution = { ...makeRun({}).run.execution, apiUri: `${other.origin}/echo/callback_executions/7` };
    await call({ task_base: 'plain.json' }, { execution }).ended;
    const task = taskManager.tasks.at(-1);
    expect(task && (await taskManager.report(task)).status).toBe(200);
    expect(other.received.at(-1)).toMatchObject({ method: 'PUT', url: '/echo/callback_executions/7' });
    expect(JSON.parse(other.received.at(-1)?.body ?? '')).toEqual({
      status: 'finished',
      result: 'success',
      secret_key: testSecret,
    });
  });

  it.each([
    [['QA', 'urgent'], 'extra', 'urgent'],
    [['QA', 'a', 'b'], 'extra', ['a', 'b']],
    [['QA'], 'extra', undefined],
    [['QA'], 'extra', null],
    [['QA'], 'extra', 5],
    [['QA'], 'constructor', undefined],
    [['QA'], null, 'urgent'],
  ])('sets the tags %j if extra_tags_var is %j and the variable is %j', async (tags, variable, value) => {
    const { experiment } = makeRun({}).run;
    const variables = value === undefined ? {} : { extra: value };
    const given = { task_base: 'plain.json', task_info: info, extra_tags_var: variable };
    await call(given, { experiment: { ...experiment, variables } }).ended;
    expect(taskManager.tasks.at(-1)?.['tags']).toEqual(tags);
  });

  it('uses the tags of a variable if task_info has none', async () => {
    const { experiment } = makeRun({}).run;
    const given = { task_base: 'plain.json', extra_tags_var: 'extra' };
    await call(given, { experiment: { ...experiment, variables: { extra: 'one' } } }).ended;
    expect(taskManager.tasks.at(-1)?.['tags']).toEqual(['one']);
  });

  it('uses the task manager that taskmanager_external_system_name names', async () => {
    const externalSystems = { OTHER: taskManager.origin };
    const given = { task_base: 'plain.json', taskmanager_external_system_name: 'OTHER' };
    expect((await call(given, { externalSystems }).ended).result).toBe('success');
  });

  it.each([
    ['inside-link.json', '"XNAT_S00002 exp_3"'],
    ['inner/deep.json', '{"deep": true}'],
    ['inner/../plain.json', '{}'],
  ])('reads the task base %s', async (base, content) => {
    await call({ task_base: base }).ended;
    expect(taskManager.tasks.at(-1)?.['content']).toContain(content);
  });

  it('escapes the label in a JSON task base, but not in other files (V1.2.3)', async () => {
    const experiment = { ...makeRun({}).run.experiment, label: 'a", "b": "$& \\' };
    await call({ task_base: 'qa.json' }, { experiment }).ended;
    const content = JSON.parse(String(taskManager.tasks.at(-1)?.['content'])) as Record<string, string>;
    expect(Object.keys(content)).toEqual(['scan', 'of', 'cost']);
    expect(content['of']).toBe('XNAT_S00002 a", "b": "$& \\');
    await call({ task_base: 'label.txt' }, { experiment }).ended;
    expect(taskManager.tasks.at(-1)?.['content']).toBe('Look at "a", "b": "$& \\"');
  });
});

describe('a run of create_task', () => {
  it.each([
    '../outside.json',
    'inner/../../outside.json',
    './../outside.json',
    '/etc/passwd',
    '../other-tasks/other.json',
    'link.json',
    'up/outside.json',
    'up/other-tasks/other.json',
    'inner',
    '.',
    '..',
    'missing.json',
    'qa.json\0.txt',
    '%2e%2e/outside.json',
    '~/outside.json',
  ])('fails permanently with the task base %j and sends nothing (V5.3.2)', async (base) => {
    const before = taskManager.connections();
    const failure = await failureOf(call({ task_base: base }).ended);
    expect(failure).toBeInstanceOf(PermanentFailure);
    expect((failure as Error).message).toContain('is not a file in the task folder');
    expect(taskManager.connections()).toBe(before);
  });

  it.each([
    [{}, 'task_base is required.'],
    [{ task_base: 'qa.json', task_info: ['project', 'brain'] }, 'task_info must be an object.'],
    [{ task_base: 'qa.json', tags: [] }, 'tags is not a known field'],
    [{ task_base: 'long.txt' }, 'characters (at most 1,048,576 are allowed)'],
    [{ task_base: 'qa.json', taskmanager_external_system_name: 'TASKMANGER' }, 'Did you mean "TASKMANAGER"?'],
    [{ task_base: 'qa.json', taskmanager_external_system_name: 'toString' }, 'No external system "toString"'],
    [{ task_base: 'qa.json', xnat_external_system: 'PACS' }, 'No external system "PACS"'],
    [
      { task_base: 'qa.json', xnat_external_system: 'TASKMANAGER' },
      '$EXPERIMENT_ID, but the experiment has no external ID in "TASKMANAGER"',
    ],
  ])('fails permanently with the arguments %j', async (given, why) => {
    const failure = await failureOf(call(given).ended);
    expect(failure).toBeInstanceOf(PermanentFailure);
    expect((failure as Error).message).toContain(why);
  });

  it('fails permanently if MILEPOST_TASK_FOLDER is not set', async () => {
    const { run } = call({ task_base: 'qa.json' });
    await expect(functionsWith(undefined).create_task(run)).rejects.toThrow('MILEPOST_TASK_FOLDER');
  });

  it('fails permanently if the task manager is not an allowed target', async () => {
    const externalSystems = { TASKMANAGER: 'http://tasks.example.org', XNAT: 'x' };
    await expect(call({ task_base: 'plain.json' }, { externalSystems }).ended).rejects.toThrow('are not allowed');
  });
});

describe('a response from the task manager', () => {
  it('is stored and makes the run fail if it is a rejection', async () => {
    const ended = await call({ task_base: 'plain.json', task_info: {} }).ended;
    expect(ended).toMatchObject({
      result: 'failed',
      values: { response_status_code: 422, response_text: '{"message":"project is missing"}', task_uri: null },
      reason: 'Unexpected response: 422 (expected 200–299).',
    });
  });

  it.each([429, 503])('with the status %d is a temporary failure', async (code) => {
    const externalSystems = { TASKMANAGER: `${other.origin}/status?code=${code}&x=`, XNAT: 'x' };
    expect(await failureOf(call({ task_base: 'plain.json' }, { externalSystems }).ended)).toBeInstanceOf(
      TemporaryFailure,
    );
  });

  it('follows a request with an Idempotency-Key that names the execution and the attempt, whose secret it contains', async () => {
    const externalSystems = { TASKMANAGER: `${other.origin}/echo`, XNAT: 'x' };
    await call({ task_base: 'plain.json' }, { externalSystems }).ended;
    expect(other.received.at(-1)?.headers).toMatchObject({ 'idempotency-key': 'milepost-execution-7-1794916800123-2' });
  });

  it('can omit the uri', async () => {
    const externalSystems = { TASKMANAGER: `${other.origin}/text?say=done&x=`, XNAT: 'x' };
    expect(await call({ task_base: 'plain.json' }, { externalSystems }).ended).toMatchObject({
      result: 'success',
      values: { response_text: 'done', task_uri: null },
    });
  });

  it('is no longer awaited when the run is cancelled', async () => {
    const seen = other.received.length;
    const externalSystems = { TASKMANAGER: `${other.origin}/hang`, XNAT: 'x' };
    const { ended, abort } = call({ task_base: 'plain.json' }, { externalSystems });
    const failure = failureOf(ended);
    await expect.poll(() => other.received.length, { interval: 5 }).toBe(seen + 1);
    const reason = new Error('timed out');
    abort(reason);
    expect(await failure).toBe(reason);
  });
});
