/** Imports the configuration that the other sections use: first adding, then overwriting. */
import { password, type Step } from '../step.ts';

const config = (changing: { url: string; description: string; modality: string; name: string }) => `
external_systems:
  - {system_name: XNAT, url: "${changing.url}"}
  - {system_name: PACS, url: "https://pacs.example.org"}
roles:
  - {name: reader, description: "${changing.description}", permissions: []}
scantypes:
  - {protocol: T1, modality: "${changing.modality}"}
users:
  - {username: reader, email: reader@example.org, name: "${changing.name}", password: "${password}", roles: [reader]}
`;

const first = config({ url: 'https://xnat.example.org', description: 'Reads', modality: 'MR', name: 'A reader' });
const second = config({
  url: 'https://archive.example.org',
  description: 'Reads all',
  modality: 'MRI',
  name: 'Reader',
});

const workflow = `
label: brain_mri
states:
  - label: arrived
    freetext: Scans are in the archive
    transitions: [{destination: processed}]
  - label: processed
    callbacks: [{label: pipeline, function: worker, callback_arguments: {queue: pipelines}, wait_timeout: 60}]
`;

const importWorkflow = 'POST /service/config/import-workflow';
const importConfig = '/service/config/import-config';

export const serviceOperations: Step[] = [
  { call: `POST ${importConfig}`, body: { config_definition: first }, status: 201 },
  { call: `POST ${importConfig}`, body: { config_definition: first }, status: 200, shows: { users: [] } },
  {
    call: `PUT ${importConfig}`,
    body: { config_definition: second },
    status: 200,
    shows: { 'external_systems.0.url': 'https://archive.example.org', 'scantypes.0.modality': 'MRI' },
  },
  {
    call: importWorkflow,
    body: { workflow_definition: workflow },
    status: 201,
    save: { workflow: 'id' },
    shows: { label: 'brain_mri' },
  },
  { call: importWorkflow, body: { workflow_definition: workflow }, status: 200 },
  { call: 'POST /service/check_timeouts', status: 200, shows: { run_timeouts: 0, wait_timeouts: 0 } },
];
