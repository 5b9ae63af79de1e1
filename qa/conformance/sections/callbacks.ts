/** The callback of the state to which the experiment moved, and its execution. */
import { unknownId, notFound, type Step } from '../step.ts';

const id = { id: '$callback' };
const changes = {
  label: 'segmentation',
  description: 'Segments the brain',
  function: 'worker',
  condition: 'experiment.label != "x"',
  callback_arguments: '{"queue": "segmentations"}',
  initial_delay: 5,
  run_timeout: 30,
  wait_timeout: 90,
};

const callbacks: Step[] = [
  {
    call: 'GET /callbacks',
    status: 200,
    save: { callback: 'callbacks.0.id' },
    shows: { 'callbacks.0.label': 'pipeline' },
  },
  {
    call: 'GET /callbacks/{id}',
    params: id,
    status: 200,
    save: { execution: 'executions.0.id' },
    shows: { label: 'pipeline', callback_arguments: '{"queue":"pipelines"}', 'state.label': 'processed' },
  },
  notFound('GET /callbacks/{id}', { params: { id: unknownId } }),
  {
    call: 'PUT /callbacks/{id}',
    params: id,
    body: changes,
    status: 200,
    shows: { label: 'segmentation', callback_arguments: '{"queue":"segmentations"}', wait_timeout: 90 },
  },
  notFound('PUT /callbacks/{id}', { params: { id: unknownId }, body: { run_timeout: 30 } }),
];

const report = 'PUT /callback_executions/{id}';

const executions: Step[] = [
  {
    call: report,
    params: { id: '$execution' },
    body: { status: 'running' },
    status: 200,
    shows: { status: 'running' },
  },
  {
    call: report,
    params: { id: '$execution' },
    body: { status: 'waiting' },
    status: 200,
    shows: { status: 'waiting' },
  },
  {
    call: report,
    params: { id: '$execution' },
    body: {
      status: 'finished',
      result: 'success',
      result_log: 'all series',
      run_log: 'checked',
      result_values: { usable: true },
    },
    status: 200,
    shows: { status: 'finished', result: 'success', result_log: 'all series', run_log: 'checked' },
  },
  notFound(report, { params: { id: unknownId }, body: { status: 'running' } }),
  {
    call: 'GET /callback_executions/{id}',
    params: { id: '$execution' },
    status: 200,
    shows: {
      status: 'finished',
      result_values: { usable: true },
      'callback.label': 'pipeline',
      'experiment.label': 'visit-1',
      'cohort.subjects.length': 2,
      'action.return_value': '[]',
      'external_systems.PACS': 'https://pacs.example.org',
    },
  },
  notFound('GET /callback_executions/{id}', { params: { id: unknownId } }),
];

export const callbacksAndExecutions: Step[] = [...callbacks, ...executions];
