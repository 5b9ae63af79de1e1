/** Timeouts and imports (specification, section 4, Service operations). */
import { Type } from 'typebox';
import { ExternalSystem, externalSystemExample } from './study/external-systems.ts';
import { ImportFinding, WorkflowImport, WorkflowPlan } from './workflows/imports.ts';
import { defineOperations } from './operation.ts';
import { RoleSummary, roleSummaryExample, UserSummary, userSummaryExample } from './people/people.ts';
import { needs } from './permission.ts';
import { Scantype, scantypeExample } from './study/scans.ts';
import * as v from './values.ts';
import { workflowExample } from './workflows/workflows.ts';

export const TimeoutCheckResult = v.resource(
  'TimeoutCheckResult',
  'The number of executions that timed out in this check.',
  {
    run_timeouts: Type.Integer({ minimum: 0 }),
    wait_timeouts: Type.Integer({ minimum: 0 }),
  },
);

export const ConfigImportResult = v.resource('ConfigImportResult', 'The objects that the import created or changed.', {
  external_systems: Type.Array(ExternalSystem),
  roles: Type.Array(RoleSummary),
  scantypes: Type.Array(Scantype),
  users: Type.Array(UserSummary),
  updated_at: v.Time,
  warnings: Type.Array(ImportFinding),
});

const DryRun = v.closed({
  dry_run: Type.Optional(Type.Boolean({ description: 'Return the result of the import without changing anything.' })),
});

const ConfigBody = v.closed({
  config_definition: Type.String({ minLength: 1, description: 'The content of the configuration file, in YAML.' }),
});

const WorkflowBody = v.closed({
  workflow_definition: Type.String({ minLength: 1, description: 'The content of the workflow file, in YAML.' }),
  state_map: v.optional(
    v.mapOf(v.Label, {
      propertyNames: v.Label,
      description:
        'For each removed state, the label of the state to which its experiments move. The callbacks of the new state run.',
    }),
  ),
});

const configExample = {
  body: { config_definition: 'external_systems:\n  - {system_name: XNAT, url: "https://xnat.example.org"}\n' },
  response: {
    external_systems: [externalSystemExample],
    roles: [roleSummaryExample],
    scantypes: [scantypeExample],
    users: [userSummaryExample],
    updated_at: '2026-02-17T09:00:00Z',
    warnings: [],
  },
};

const unknownRole = 'A user has a role that exists neither in the file nor in the installation.';
const twoAccounts = 'The username and the e-mail address of an entry belong to two different users';

export const serviceOperations = defineOperations({
  checkTimeouts: {
    method: 'POST',
    path: '/service/check_timeouts',
    summary: 'Check for timeouts',
    description:
      'Workers do this automatically every few seconds. If several checks run at the same time, each execution is still ' +
      'counted once.',
    access: needs('service_run'),
    installationWide: true,
    idempotencyKey: 'ignored',
    response: TimeoutCheckResult,
    statuses: { 200: 'The number of executions that timed out.' },
    example: { response: { run_timeouts: 1, wait_timeouts: 0 } },
  },
  importConfig: {
    method: 'POST',
    path: '/service/config/import-config',
    summary: 'Import a configuration without overwriting',
    description:
      'Adds new roles, users, external systems and scan types. Existing ones stay unchanged. A user whose password is ' +
      'rejected is created without one. `warnings` gives the reason.',
    access: needs('config_manage'),
    installationWide: true,
    tokens: 'refused',
    carries: 'passwords',
    query: DryRun,
    body: ConfigBody,
    response: ConfigImportResult,
    statuses: {
      200: 'Nothing was added, or this was a dry run.',
      201: 'Something was added.',
      404: unknownRole,
      409: `${twoAccounts}.`,
    },
    example: configExample,
  },
  overwriteConfig: {
    method: 'PUT',
    path: '/service/config/import-config',
    summary: 'Import a configuration and overwrite existing objects',
    description:
      'Adds new objects and overwrites existing ones with the values in the file. The role `admin` cannot be changed. A ' +
      'user whose password is rejected keeps the current one, or is created without one. `warnings` gives the reason.',
    access: needs('config_manage'),
    installationWide: true,
    tokens: 'refused',
    carries: 'passwords',
    query: DryRun,
    body: ConfigBody,
    response: ConfigImportResult,
    statuses: {
      200: 'The configuration was imported, or this was a dry run.',
      404: unknownRole,
      409: `${twoAccounts}, or no active administrator who can sign in would remain.`,
    },
    example: configExample,
  },
  importWorkflow: {
    method: 'POST',
    path: '/service/config/import-workflow',
    summary: 'Import a workflow',
    description:
      'A new label creates a workflow. An existing label upgrades that workflow, unless the definition is identical. ' +
      'States and callbacks are matched by label. Removed ones are retired and stay readable by id. With `dry_run` the ' +
      'response is the plan.',
    access: needs('workflow_manage'),
    installationWide: true,
    query: DryRun,
    body: WorkflowBody,
    response: Type.Union([WorkflowImport, WorkflowPlan]),
    statuses: {
      200: 'The workflow was changed or was identical, or this was a dry run.',
      201: 'The workflow was created.',
      409: 'A removed state still has experiments. In `state_map`, name the state to which they move.',
    },
    example: {
      body: { workflow_definition: 'label: brain_mri\nstates:\n  - {label: arrived}\n' },
      response: { ...workflowExample, outcome: 'new', revision: 1, warnings: [] },
    },
  },
});
