/** The objects that requests refer to, created through the API. */
import { configurationFile, newNames, type Names } from './definitions.ts';
import { create, factories, newCohort, newSubject, newWorkflow, read } from './factories.ts';
import type { Execution, Factories, Parents } from './factories.ts';
import type { Send } from './http.ts';

export interface Study extends Names, Parents, Factories {
  send: Send;
  /** A finished execution. */
  run: Execution;
  /** The ids of objects that requests may change in any way. */
  spare: { callback: number; cohort: number; subject: number; user: number };
}

export async function createStudy(send: Send): Promise<Study> {
  const names = newNames();
  await create(send, '/service/config/import-config', { config_definition: configurationFile(names) });
  const cohort = await newCohort(send);
  const parents = { cohort, subject: await newSubject(send, { cohort }), workflow: await newWorkflow(send) };
  const made = factories(send, parents);
  return { ...names, ...parents, ...made, send, run: await finishedRun(send, made), spare: await spares(send, made) };
}

async function finishedRun(send: Send, { newExecution }: Factories): Promise<Execution> {
  const run = await newExecution();
  const reports = [
    { status: 'running' },
    { status: 'waiting' },
    { status: 'finished', result: 'success', result_values: { usable: true } },
  ];
  for (const body of reports) await read(send, 'PUT /callback_executions/{id}', { path: { id: run.id }, body });
  return run;
}

/** Each has the objects that belong to it: subjects, experiments, executions. */
async function spares(send: Send, made: Factories): Promise<Study['spare']> {
  const cohort = await made.newCohort();
  const subject = await made.newSubject({ cohort_label: cohort.label });
  await made.newExecution({ subject_id: subject.id, workflow_label: await made.newWorkflow() });
  const { callbacks = [] } = await read(send, 'GET /callbacks');
  const user = await made.newUser();
  return { cohort: cohort.id, subject: subject.id, callback: callbacks.at(-1)?.id ?? 0, user: user.id };
}
