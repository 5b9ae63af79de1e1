/** Section 4, "Service operations". */
import { configurationFile, newNames, workflowFile } from '../definitions.ts';
import type { Operation } from '../operation.ts';
import { labels, unique } from '../values.ts';

const newConfiguration = () => ({ body: { config_definition: configurationFile(newNames()) } });

export const serviceOperations: Operation[] = [
  {
    operation: 'POST /service/check_timeouts',
    response: 'TimeoutCheckResult',
    statuses: [200],
    valid: () => ({}),
  },
  {
    operation: 'POST /service/config/import-config',
    request: { config_definition: 'string' },
    response: 'ConfigImportResult',
    statuses: [200, 201],
    valid: () => ({ status: 201, ...newConfiguration() }),
    required: ['config_definition'],
    values: {
      config_definition: [
        () => `external_systems: [{system_name: ${unique('XNAT')}, url: "https://xnat.example.org"}]`,
        () => JSON.stringify({ scantypes: [{ protocol: unique('T2'), modality: 'MR' }] }),
      ],
    },
    calls: [{ status: 200, when: 'nothing changes', again: true, shows: { users: [], roles: [] } }],
  },
  {
    operation: 'PUT /service/config/import-config',
    request: { config_definition: 'string' },
    response: 'ConfigImportResult',
    statuses: [200],
    valid: newConfiguration,
    required: ['config_definition'],
    values: {
      config_definition: [
        () => `roles: [{name: ${unique('reader')}, permissions: "user_read, sample_add"}]`,
        () => JSON.stringify({ scantypes: [{ protocol: unique('T2'), modality: 'MR' }] }),
      ],
    },
    calls: [{ status: 200, when: 'nothing changes', again: true }],
  },
  {
    operation: 'POST /service/config/import-workflow',
    request: { workflow_definition: 'string' },
    response: 'Ref',
    statuses: [200, 201],
    valid: () => ({ status: 201, body: { workflow_definition: workflowFile(unique('brain_mri')) } }),
    required: ['workflow_definition'],
    values: { workflow_definition: labels.map((label) => () => workflowFile(label())) },
    calls: [{ status: 200, when: 'nothing changes', again: true }],
  },
];
