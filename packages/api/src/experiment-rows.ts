/** Experiments as a table on a screen shows them: each with everything around it, so that a page is one request. */
import { Type } from 'typebox';
import { executionResults, executionStatuses } from './callbacks.ts';
import { incidentKinds } from './incidents.ts';
import { defineOperations } from './operation.ts';
import { signedIn } from './permission.ts';
import * as v from './values.ts';

export const openStatuses = ['created', 'queued', 'running', 'waiting'] as const;

const RowIncident = v.closed({
  id: v.Id,
  kind: v.oneOf(incidentKinds),
  detail: Type.String(),
  opened_at: v.Time,
  execution_id: v.nullable(v.Id),
});

const RowExecution = v.closed({
  id: v.Id,
  callback: v.Label,
  status: v.oneOf(executionStatuses),
  result: v.oneOf(executionResults),
  attempt: Type.Integer({ minimum: 0 }),
  next_attempt_at: v.nullable(v.Time),
});

export const ExperimentRow = v.resource('ExperimentRow', 'An experiment with everything that a table shows of it.', {
  id: v.Id,
  uri: v.Uri,
  web_uri: v.WebUri,
  label: v.Label,
  scandate: v.nullable(v.Scandate),
  subject: v.Ref,
  cohort: v.Ref,
  workflow: v.Ref,
  state: v.Ref,
  entered_at: v.nullable({ ...v.Time, description: 'When it came into its state: retries there do not count.' }),
  action_id: v.nullable({ ...v.Id, description: 'Its latest action.' }),
  incidents: Type.Array(RowIncident, { description: 'The open ones.' }),
  executions: Type.Array(RowExecution, { description: 'Those of the latest action, in definition order.' }),
});

const only = (description: string) => Type.Optional({ ...v.Id, description });

const RowFilters = v.closed({
  workflow_id: only('Only experiments of this workflow.'),
  state_id: only('Only experiments in this state.'),
  cohort_id: only('Only experiments of this cohort.'),
  subject_id: only('Only experiments of this subject.'),
  label: Type.Optional(v.LabelPrefix),
  incident: Type.Optional(
    v.oneOf(['any', 'none', ...incidentKinds], {
      description: 'Only those with an open incident, of any or one kind; or with none.',
    }),
  ),
  status: Type.Optional(
    v.oneOf(openStatuses, { description: 'Only those whose latest action has an execution of this status.' }),
  ),
  ...v.screenPage(100),
});

const cohort = { id: 7, label: 'memory-clinic-2026', uri: '/api/v2/cohorts/7' };
export const rowExample = {
  id: 112,
  uri: '/api/v2/experiments/112',
  web_uri: 'https://milepost.example.org/experiments/112',
  label: 'MC-0041-baseline',
  scandate: '2026-02-16T10:24:00',
  subject: { id: 41, label: 'MC-0041', uri: '/api/v2/subjects/41' },
  cohort,
  workflow: { id: 1, label: 'brain_mri', uri: '/api/v2/workflows/1' },
  state: { id: 4, label: 'processed', uri: '/api/v2/states/4' },
  entered_at: '2026-02-17T11:02:09.120Z',
  action_id: 530,
  incidents: [
    {
      id: 17,
      kind: 'failed',
      detail: 'segment did not succeed, and no way leads on from processed.',
      opened_at: '2026-02-17T11:04:31.007Z',
      execution_id: 914,
    },
  ],
  executions: [
    { id: 914, callback: 'segment', status: 'finished', result: 'failed', attempt: 5, next_attempt_at: null },
  ],
};

export const experimentRowOperations = defineOperations({
  listExperimentRows: {
    method: 'GET',
    path: '/experiment_rows',
    summary: 'List experiments as a table shows them',
    description:
      'Each with its subject, cohort, workflow and state, its open incidents and the executions of its latest action. ' +
      'Filters combine. Ordered by id; with `label` by label, and `after` is then still the id of the last row.',
    access: signedIn,
    query: RowFilters,
    response: v.listOf('experiments', ExperimentRow),
    statuses: { 200: 'The experiments. A filter that names nothing finds none.' },
    example: { response: { experiments: [rowExample] } },
  },
});
