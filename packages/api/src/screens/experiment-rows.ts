/** Rows of the experiment table, each with all related data, so that a page takes one request. */
import { Type } from 'typebox';
import { Cause } from '../runs/causes.ts';
import { executionResults, executionStatuses, incidentKinds, openStatuses } from '../runs/choices.ts';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import * as v from '../values.ts';

const RowIncident = v.closed({
  id: v.Id,
  kind: v.oneOf(incidentKinds),
  cause: Cause,
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

export const ExperimentRow = v.resource('ExperimentRow', 'An experiment with the data of a table row.', {
  id: v.Id,
  uri: v.Uri,
  web_uri: v.WebUri,
  label: v.Label,
  scandate: v.nullable(v.Scandate),
  subject: v.Ref,
  withdrawn: { ...v.nullable(v.CalendarDate), description: 'The day on which its subject withdrew.' },
  cohort: v.Ref,
  workflow: v.Ref,
  state: v.Ref,
  entered_at: v.nullable({ ...v.Time, description: 'When it entered its state. Retries do not count.' }),
  action_id: v.nullable({ ...v.Id, description: 'Its latest action.' }),
  incidents: Type.Array(RowIncident, { description: 'Open incidents.' }),
  executions: Type.Array(RowExecution, {
    description: 'The executions of the latest action, in the order of the definition.',
  }),
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
      description:
        'Only experiments with an open incident of this kind, with `any` open incident, or with `none`. ' +
        '`unclaimed` finds none, because such an incident belongs to a queue.',
    }),
  ),
  status: Type.Optional(
    v.oneOf(openStatuses, { description: 'Only experiments whose latest action has an execution with this status.' }),
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
  withdrawn: null,
  cohort,
  workflow: { id: 1, label: 'brain_mri', uri: '/api/v2/workflows/1' },
  state: { id: 4, label: 'processed', uri: '/api/v2/states/4' },
  entered_at: '2026-02-17T11:02:09.120Z',
  action_id: 530,
  incidents: [
    {
      id: 17,
      kind: 'failed',
      cause: 'No space left on /scratch',
      detail: 'segment failed, and no transition out of processed applies.',
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
    summary: 'List experiments with details',
    description:
      'Returns each experiment with its subject, cohort, workflow and state, its open incidents and the executions of its ' +
      'latest action. Rows match all filters. They are ordered by id, or by label if you filter by `label`. `after` is the ' +
      'id of the last row in both cases.',
    access: signedIn,
    query: RowFilters,
    response: v.listOf('experiments', ExperimentRow),
    statuses: {
      200: 'The experiments.',
      400: 'The request is invalid, or a filter names an object that does not exist.',
    },
    example: { response: { experiments: [rowExample] } },
  },
});
