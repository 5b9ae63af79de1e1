/** The study of docs/how-to/everyday-jobs.md: five experiments in a workflow whose conversion runs on a cluster, and fails for two of them. */
import { startTestServer, testPassword, type TestServer } from '../../server/testing/server.ts';
import { startWorker } from './study.ts';

export const brainMri = `label: brain_mri
initial: conversion
states:
  - label: conversion
    freetext: The cluster converts the images
    callbacks:
      - label: convert
        function: worker
        callback_arguments: { queue: cluster }
        run_timeout: 60
    transitions:
      - { destination: visual_qc, condition: "callbacks['convert'].result == 'success'" }

  - label: visual_qc
    freetext: A person checks the images
    transitions:
      - { destination: accepted, by: person }
      - { destination: rejected, by: person }

  - label: accepted
    freetext: The images can be analysed

  - label: rejected
    freetext: The images cannot be used
`;

const subjects = ['MC-0041', 'MC-0042', 'MC-0043', 'MC-0044', 'MC-0045'];
const failing = new Set(['MC-0044-baseline', 'MC-0045-baseline']);

export async function startEverydayStudy() {
  const server = await startTestServer();
  await server.addUser('amina', ['admin']);
  const made = async (name: Parameters<TestServer['call']>[0], body: object) => {
    const answer = await server.call(name, { body });
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  };
  await made('importWorkflow', { workflow_definition: brainMri });
  await made('importConfig', { config_definition: 'scantypes: [{protocol: T1w, modality: MR}]\n' });
  await made('createCohort', { label: 'memory-clinic' });
  for (const label of subjects) {
    await made('createSubject', { label, cohort_label: 'memory-clinic' });
    const experiment = { label: `${label}-baseline`, subject_label: label, cohort_label: 'memory-clinic' };
    await made('createExperiment', { ...experiment, workflow_label: 'brain_mri' });
  }
  await convert(server);
  const worker = startWorker(server);
  return {
    server,
    amina: { password: testPassword },
    stop: async () => {
      await worker.stop();
      await server.stop();
    },
  };
}

/** Reports the results of a cluster. */
async function convert(server: TestServer): Promise<void> {
  const { body } = await server.call('claimExecutions', { body: { queues: ['cluster'], max: subjects.length } });
  for (const { execution, experiment, secret } of body.claims) {
    const isFailing = failing.has(experiment.label as string);
    const report = isFailing
      ? { result: 'failed', run_log: 'Series 3 of 5\n', result_log: 'No space left on /scratch' }
      : { result: 'success', run_log: 'Series 5 of 5\n' };
    await server.call('updateCallbackExecution', {
      as: null,
      headers: { authorization: `Bearer ${secret}` },
      params: { id: execution.id },
      body: { status: 'finished', ...report },
    });
  }
}
