/** A study whose callback waits in a queue until the test claims the run and reports its result. */
import { createClient, type Client } from '@milepost/api';
import type { Connection } from '../connection.ts';

const workflow = (label: string) => `
label: ${label}
states:
  - label: arrived
    freetext: A person starts the segmentation.
    outcome: neutral
    transitions: [{destination: segmenting}]
  - label: segmenting
    callbacks: [{label: segmentation, function: ${label}, callback_arguments: {series: T1}, variable_map: {volume: /volume}}]
    transitions:
      - {destination: segmented, condition: "callbacks['segmentation'].result == 'success'"}
  - label: segmented
    outcome: neutral
    transitions: [{destination: checked, condition: "experiment.variables['grade'] == 'good'"}]
  - label: checked
`;

export interface Study {
  workflow: { id: number; label: string };
  cohort: { id: number; label: string };
  subject: { id: number; label: string };
  /** Creates an experiment in the given state. */
  experiment: (label: string, state?: 'arrived' | 'segmenting') => Promise<number>;
  move: (id: number, state: string) => Promise<unknown>;
  /** Claims the oldest waiting run, or waits for the next one. */
  claimRun: () => Promise<Run>;
}

export interface Run {
  executionId: number;
  appendLog: (log: string) => Promise<unknown>;
  finish: (result: 'success' | 'failed', log?: string) => Promise<unknown>;
}

export async function makeStudy({ client, url }: Connection, label: string): Promise<Study> {
  await client.importWorkflow({ body: { workflow_definition: workflow(label) } });
  const found = (await client.listWorkflows()).workflows.find((one) => one.label === label);
  const cohort = await client.createCohort({ body: { label: `Cohort ${label}` } });
  const subject = await client.createSubject({ body: { label: `S-${label}`, cohort_label: cohort.label } });
  const move = (id: number, state: string) =>
    client.setExperimentState({ params: { id }, body: { state_label: state, freetext: 'Moved by the test.' } });
  return {
    workflow: { id: found?.id ?? 0, label },
    cohort,
    subject,
    move,
    experiment: async (name, state = 'arrived') => {
      const { id } = await client.createExperiment({
        body: { label: name, subject_id: subject.id, workflow_label: label, scandate: '2026-03-29' },
      });
      if (state !== 'arrived') await move(id, state);
      return id;
    },
    claimRun: () => claimRun({ client, url }, label),
  };
}

export async function claimRun({ client, url }: Pick<Connection, 'client' | 'url'>, queue: string): Promise<Run> {
  const { execution, secret, lease_seconds } = await claimOne(client, queue);
  const { id } = execution;
  const worker = createClient({ baseUrl: `${url}/api/v2`, authorization: `Bearer ${secret}` });
  const renew = (log?: string) =>
    worker.renewClaim({ params: { execution_id: id }, body: log === undefined ? {} : { log } });
  // A test may hold a run for longer than the lease. If the lease is lost anyway, the final report is rejected.
  const heartbeat = setInterval(() => void renew().catch(() => undefined), (lease_seconds * 1000) / 4);
  heartbeat.unref();
  return {
    executionId: id,
    appendLog: renew,
    finish: (result, log = '') => {
      clearInterval(heartbeat);
      const outcome = { status: 'finished', result, result_log: log, result_values: { volume: 1482.5 } } as const;
      return worker.updateCallbackExecution({ params: { id }, body: outcome });
    },
  };
}

async function claimOne(client: Client, queue: string) {
  for (;;) {
    const { claims } = await client.claimExecutions({ body: { queues: [queue], max: 1, wait_seconds: 20 } });
    if (claims[0]) return claims[0];
  }
}
