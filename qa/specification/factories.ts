/** Creates objects through the API, each with a label of its own. */
import { workflowFile } from './definitions.ts';
import type { Request, Send } from './http.ts';
import { unique } from './values.ts';

export interface Created {
  id: number;
  label: string;
  uri: string;
  [field: string]: unknown;
}

export interface Execution {
  id: number;
  action: number;
  experiment: Created;
}

type Create = (fields?: object) => Promise<Created>;

export interface Factories {
  newCohort: Create;
  newSubject: Create;
  newExperiment: Create;
  newUser: Create;
  /** Moves a new experiment to the state with a callback. */
  newExecution: (fields?: object) => Promise<Execution>;
  /** Returns the label of the workflow. */
  newWorkflow: (label?: string) => Promise<string>;
}

/** The summary of an object in a list. */
export const refOf = ({ id, label, uri }: Created) => ({ id, label, uri });

/** The objects that new ones belong to by default. */
export interface Parents {
  cohort: Created;
  subject: Created;
  workflow: string;
}

export const newCohort = (send: Send, fields?: object): Promise<Created> =>
  create(send, '/cohorts', { label: unique('Memory'), description: 'Volunteers', ...fields });

export const newSubject = (send: Send, { cohort }: Pick<Parents, 'cohort'>, fields?: object): Promise<Created> =>
  create(send, '/subjects', {
    label: unique('MC'),
    cohort_label: cohort.label,
    date_of_birth: '1957-03-02',
    ...fields,
  });

const newExperiment = (send: Send, { subject, workflow }: Parents, fields?: object): Promise<Created> =>
  create(send, '/experiments', {
    label: unique('visit'),
    subject_id: subject.id,
    workflow_label: workflow,
    scandate: '2026-02-17T09:30:00',
    ...fields,
  });

export async function newWorkflow(send: Send, label = unique('brain_mri')): Promise<string> {
  await create(send, '/service/config/import-workflow', { workflow_definition: workflowFile(label) });
  return label;
}

export const factories = (send: Send, parents: Parents): Factories => ({
  newCohort: (fields) => newCohort(send, fields),
  newSubject: (fields) => newSubject(send, parents, fields),
  newExperiment: (fields) => newExperiment(send, parents, fields),
  newUser: (fields) => create(send, '/users', { ...userFields(), ...fields }),
  newExecution: async (fields) => execute(send, await newExperiment(send, parents, fields)),
  newWorkflow: (label) => newWorkflow(send, label),
});

/** Without a password, which takes long to hash. */
export function userFields(): { username: string; email: string } {
  const username = unique('anna');
  return { username, email: `${username}@example.org` };
}

async function execute(send: Send, experiment: Created): Promise<Execution> {
  const path = { id: experiment.id };
  await read(send, 'PUT /experiments/{id}/state', { path, body: { state_label: 'processed', freetext: 'By hand' } });
  const { actions = [] } = await read(send, 'GET /experiments/{id}/actions', { path });
  const action = actions.at(-1)?.id ?? 0;
  const { executions = [] } = await read(send, 'GET /actions/{id}', { path: { id: action } });
  return { id: executions[0]?.id ?? 0, action, experiment };
}

export async function create(send: Send, path: string, body: Record<string, unknown>): Promise<Created> {
  const created: object = await read(send, `POST ${path}`, { body });
  return created as Created;
}

/** The body of a successful response, as the lists in it. */
export async function read(
  send: Send,
  operation: string,
  request: Request = {},
): Promise<Partial<Record<string, Created[]>>> {
  const { status, body } = await send(operation, request);
  if (status >= 300) throw new Error(`${operation} returned ${status}: ${JSON.stringify(body)}`);
  return Object(body);
}
