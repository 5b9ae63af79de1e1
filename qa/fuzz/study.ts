/** The users of a fuzz run, and a small study created over the API, so that ids, labels and executions exist. */
import { basic, createClient, type Client } from '@milepost/api';

export interface Caller {
  username: string;
  password: string;
}

export const admin: Caller = { username: 'admin', password: 'administrator of the fuzz run' };
/** Has only the permissions to read, and to create and move experiments. */
export const few: Caller = { username: 'few', password: 'user with few permissions' };
/** Gets the changes that would lock out the caller. */
const other: Caller = { username: 'other', password: 'user that may be changed' };

const config = {
  roles: [{ name: 'few', permissions: ['sample_add', 'sample_state_update'] }],
  users: [few, other].map((caller) => ({ ...caller, email: `${caller.username}@example.org`, roles: ['few'] })),
  external_systems: [{ system_name: 'XNAT', url: 'https://xnat.example.org' }],
  scantypes: [{ modality: 'MR', protocol: 'T1' }],
};

const workflow = `
label: scans
initial: arrived
states:
  - label: arrived
    transitions:
      - {destination: checked}
      - {destination: rejected, condition: "experiment.variables['unusable'] == true"}
  - label: checked
    callbacks:
      - {label: check, function: worker, callback_arguments: {queue: checks}}
    transitions:
      - {destination: arrived}
      - {destination: rejected, by: person}
  - label: rejected
`;

export interface Study {
  /** User ids by username. */
  accounts: Record<string, number>;
  other: string;
}

export async function makeStudy(baseUrl: string): Promise<Study> {
  const client = createClient({ baseUrl, authorization: basic(admin.username, admin.password) });
  await client.importConfig({ body: { config_definition: JSON.stringify(config) } });
  await client.importWorkflow({ body: { workflow_definition: workflow } });
  const { id } = await client.createCohort({ body: { label: 'memory clinic', description: 'Annual visits' } });
  await client.setCohortExternalUrl({
    params: { id, system_name: 'XNAT' },
    body: { external_url: 'https://xnat.example.org/1' },
  });
  for (const label of ['S1', 'S2', 'S3']) await addSubject(client, label);
  const { users } = await client.listUsers();
  return { accounts: Object.fromEntries(users.map((user) => [user.username, user.id])), other: other.username };
}

async function addSubject(client: Client, label: string): Promise<void> {
  const subject = await client.createSubject({
    body: { label, cohort_label: 'memory clinic', date_of_birth: '1950-12-31' },
  });
  const body = { label: `${label} baseline`, subject_id: subject.id, scandate: '2026-02-17T10:30:00' };
  const { id } = await client.createExperiment({ body });
  await client.setSubjectExternalId({ params: { id: subject.id, system_name: 'XNAT' }, body: { external_id: label } });
  await client.setExperimentExternalId({ params: { id, system_name: 'XNAT' }, body: { external_id: label } });
  await client.createScan({ body: { experiment_id: id, scantype_protocol: 'T1' } });
  await client.setExperimentState({ params: { id }, body: { state_label: 'checked' } });
}
