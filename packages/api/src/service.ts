/** Timeouts and imports (specification, section 4, Service operations). */
import { Type } from 'typebox';
import { ExternalSystem, externalSystemExample } from './external-systems.ts';
import { ImportFinding, WorkflowImport, WorkflowPlan } from './imports.ts';
import { defineOperations } from './operation.ts';
import { RoleSummary, roleSummaryExample, UserSummary, userSummaryExample } from './people.ts';
import { needs } from './permission.ts';
import { Scantype, scantypeExample } from './scans.ts';
import * as v from './values.ts';
import { workflowExample } from './workflows.ts';

export const TimeoutCheckResult = v.resource('TimeoutCheckResult', 'How many executions this check timed out.', {
  run_timeouts: Type.Integer({ minimum: 0 }),
  wait_timeouts: Type.Integer({ minimum: 0 }),
});

export const ConfigImportResult = v.resource('ConfigImportResult', 'What this import created or changed.', {
  external_systems: Type.Array(ExternalSystem),
  roles: Type.Array(RoleSummary),
  scantypes: Type.Array(Scantype),
  users: Type.Array(UserSummary),
  updated_at: v.Time,
  warnings: Type.Array(ImportFinding),
});

const DryRun = v.closed({
  dry_run: Type.Optional(Type.Boolean({ description: 'Answer what would happen, and change nothing.' })),
});

const ConfigBody = v.closed({
  config_definition: Type.String({ minLength: 1, description: 'The configuration file: YAML text.' }),
});

const WorkflowBody = v.closed({
  workflow_definition: Type.String({ minLength: 1, description: 'The definition file: YAML text.' }),
  state_map: Type.Optional(
    v.mapOf(v.Label, {
      propertyNames: v.Label,
      description:
        'Where experiments go whose state is gone: old label to new label. They are moved there, and its callbacks run.',
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

const unknownRole = 'A user of the file has a role that is neither in it nor here.';
const twoAccounts = 'The username and the e-mail of an entry are those of two different users';

export const serviceOperations = defineOperations({
  checkTimeouts: {
    method: 'POST',
    path: '/service/check_timeouts',
    summary: 'Check for timeouts now',
    description:
      'Workers do this by themselves every few seconds. Each execution is counted once, however many checks run at the ' +
      'same time.',
    access: needs('service_run'),
    installationWide: true,
    repeats: 'anew',
    response: TimeoutCheckResult,
    statuses: { 200: 'How many executions were timed out.' },
    example: { response: { run_timeouts: 1, wait_timeouts: 0 } },
  },
  importConfig: {
    method: 'POST',
    path: '/service/config/import-config',
    summary: 'Import a configuration, adding what is new',
    description: 'Adds roles, users, external systems and scan types that are new, and leaves those that exist.',
    access: needs('config_manage'),
    installationWide: true,
    tokens: 'refused',
    carries: 'passwords',
    query: DryRun,
    body: ConfigBody,
    response: ConfigImportResult,
    statuses: {
      200: 'Everything existed before, or this was a dry run.',
      201: 'Something was added.',
      404: unknownRole,
      409: `${twoAccounts}.`,
    },
    example: configExample,
  },
  overwriteConfig: {
    method: 'PUT',
    path: '/service/config/import-config',
    summary: 'Import a configuration, overwriting what exists',
    description: 'Adds what is new and changes what exists to what the file says. The role `admin` cannot be changed.',
    access: needs('config_manage'),
    installationWide: true,
    tokens: 'refused',
    carries: 'passwords',
    query: DryRun,
    body: ConfigBody,
    response: ConfigImportResult,
    statuses: {
      200: 'The configuration is as the file says.',
      404: unknownRole,
      409: `${twoAccounts}, or no active admin would be left.`,
    },
    example: configExample,
  },
  importWorkflow: {
    method: 'POST',
    path: '/service/config/import-workflow',
    summary: 'Import a workflow',
    description:
      'A new label makes a new workflow; a known one upgrades that workflow in place, and the identical definition ' +
      'changes nothing. States and callbacks match by label. What is gone is retired and stays readable by id. With ' +
      '`dry_run` the answer is the plan.',
    access: needs('workflow_manage'),
    installationWide: true,
    query: DryRun,
    body: WorkflowBody,
    response: Type.Union([WorkflowImport, WorkflowPlan]),
    statuses: {
      200: 'The workflow was changed, was the same already, or this was a dry run.',
      201: 'The workflow is new.',
      409: 'Experiments would be left in a state that goes. Say in `state_map` where they belong.',
    },
    example: {
      body: { workflow_definition: 'label: brain_mri\nstates:\n  - {label: arrived}\n' },
      response: { ...workflowExample, outcome: 'new', revision: 1, warnings: [] },
    },
  },
});
