/** The study of the examples in the help: a server with a cohort, a subject, experiments, runs and an API token. */
import { permissions } from '@milepost/api';
import { startTestServer, type TestServer } from '../../server/testing/server.ts';
import { runBulkOperations } from '../../server/src/engine/bulk/run-bulk-operations.ts';
import { runImports } from '../../server/src/engine/spreadsheets/run-imports.ts';
import { engineContext } from '../../server/testing/engine-context.ts';
import { createTestToken } from '../../server/testing/tokens.ts';
import { setTimeout } from 'node:timers/promises';

export const brainMri = `label: brain_mri
initial: arrived
states:
  - {label: arrived, transitions: [{destination: processed, by: person}]}
  - {label: processed, transitions: [{destination: arrived, by: person}, {destination: done, by: person}]}
  - {label: done}
`;

const conversion = `label: conversion
states:
  - label: converting
    callbacks: [{label: convert, function: worker, callback_arguments: {queue: cluster}}]
    transitions: [{destination: converted, condition: "callbacks['convert'].result == 'success'", by: engine}]
  - {label: converted}
`;

export type Study = Awaited<ReturnType<typeof startStudy>>;

export async function startStudy() {
  const server = await startTestServer();
  await server.addUser('amina', ['superuser']);
  const made = async (name: Parameters<TestServer['call']>[0], body: object, params = {}) => {
    const answer = await server.call(name, { params, body });
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  };
  await made('importWorkflow', { workflow_definition: conversion });
  await made('importWorkflow', { workflow_definition: brainMri });
  const cohort = await made('createCohort', { label: 'memory-clinic' });
  await made('createSubject', { label: 'MC-0041', cohort_label: 'memory-clinic' });
  await made('createSubject', { label: 'MC-0043', cohort_label: 'memory-clinic' });
  const create = (label: string, subject_label: string, workflow_label: string) =>
    made('createExperiment', { label, subject_label, cohort_label: 'memory-clinic', workflow_label });
  const baseline = await create('MC-0041-baseline', 'MC-0041', 'brain_mri');
  await create('MC-0043-baseline', 'MC-0043', 'conversion');
  await failRun(server);
  await made('importConfig', { config_definition: 'scantypes: [{protocol: T1w, modality: MR}]\n' });
  await made('createScan', { experiment_id: baseline.id, scantype_protocol: 'T1w' });
  const admin = { id: 1, username: 'admin' };
  // The first token is revoked by an example.
  await createTestToken(server, admin);
  const token = await createTestToken(server, admin, permissions);
  const environment = { MILEPOST_URL: server.origin, MILEPOST_TOKEN: token.token };
  const move = async (state_label: string) =>
    void (await server.call('setExperimentState', { params: { id: baseline.id }, body: { state_label } }));
  const worker = startWorker(server);
  const startBulkNote = async ({ isPaused = false } = {}) => {
    worker.resume();
    const change = { kind: 'note', text: 'Repeat the T1', query: 'cohort:memory-clinic', dry_run: true };
    const { id } = await made('createBulkOperation', change);
    while ((await server.call('getBulkOperation', { params: { id } })).body.status !== 'checked') await setTimeout(20);
    await worker.pause();
    await made('applyBulkOperation', { reason: 'Blurred' }, { id });
    if (isPaused) {
      await server.call('pauseBulkOperation', { params: { id } });
      worker.resume();
    }
    return id as number;
  };
  return {
    stop: async () => {
      await worker.stop();
      await server.stop();
    },
    server,
    environment,
    cohortId: cohort.id as number,
    experimentId: baseline.id as number,
    tokenId: token.id,
    move,
    /** A running operation on which no worker works, or a paused one. */
    startBulkNote,
  };
}

/** Does the work of users in sets, as a worker does. */
export function startWorker(server: TestServer) {
  const work = { isStopped: false, isPaused: false };
  let pass = Promise.resolve();
  const context = (operation: string) => ({ ...engineContext(server, operation), onError: () => undefined });
  const loop = async () => {
    while (!work.isStopped) {
      // A worker continues after an error, such as a timeout of a busy database.
      if (!work.isPaused) await (pass = runOnce().catch((error) => process.emitWarning(String(error))));
      await setTimeout(50);
    }
  };
  const runOnce = async () => {
    await runBulkOperations(context('runBulkOperations'));
    await runImports({ ...context('runImports'), linesPerSecond: 100_000 });
  };
  const ended = loop();
  return {
    /** Returns when it does nothing. */
    pause: () => {
      work.isPaused = true;
      return pass;
    },
    resume: () => void (work.isPaused = false),
    stop: () => {
      work.isStopped = true;
      return ended;
    },
  };
}

/** The run 1 fails, so that there is an incident and a log. */
async function failRun(server: TestServer): Promise<void> {
  const { body } = await server.call('claimExecutions', { body: { queues: ['cluster'] } });
  const [claim] = body.claims;
  const headers = { authorization: `Bearer ${claim.secret}` };
  await server.call('renewClaim', {
    as: null,
    headers,
    params: { execution_id: claim.execution.id },
    body: { log: 'Series 3 of 5\n' },
  });
  const report = { status: 'finished', result: 'failed', result_log: 'No space left on /scratch' };
  await server.call('updateCallbackExecution', { as: null, headers, params: { id: claim.execution.id }, body: report });
}
