/** Section 4, "Callback executions and callbacks". */
import { missing, unknownId, type Operation } from '../operation.ts';
import { counts, labels, texts } from '../values.ts';

export const callbacks: Operation[] = [
  {
    operation: 'GET /callback_executions/{id}',
    response: 'CallbackExecution',
    statuses: [200, 404],
    valid: ({ run }) => ({ path: { id: run.id } }),
    calls: async ({ newExecution }) => [
      { status: 200, when: 'execution queued', path: { id: (await newExecution()).id }, shows: { status: 'queued' } },
      missing('execution', { path: { id: unknownId } }),
    ],
  },
  {
    operation: 'PUT /callback_executions/{id}',
    request: { result: 'string', result_log: 'string', result_values: 'object', run_log: 'string', status: 'string' },
    response: 'CallbackExecution',
    statuses: [200, 404],
    valid: async ({ newExecution }) => ({ path: { id: (await newExecution()).id }, body: { status: 'finished' } }),
    values: {
      result: ['success', 'failed', 'timeout', 'none'],
      result_log: ['', 'All series', 'Two\nlines', 'Größe 日本 🧠'],
      result_values: [
        {},
        { usable: true, volume: 1.5, parts: ['a', null], nested: { a: { b: 1 } }, 'Größe 日本': '🧠' },
      ],
      run_log: ['', 'Started', 'Two\nlines', 'Größe 日本 🧠'],
      status: ['queued', 'running', 'waiting', 'finished', 'skipped'],
    },
    calls: [missing('execution', { path: { id: unknownId } })],
  },
  {
    operation: 'GET /callbacks',
    response: { callbacks: ['Ref'] },
    statuses: [200],
    valid: () => ({}),
  },
  {
    operation: 'GET /callbacks/{id}',
    response: 'Callback',
    statuses: [200, 404],
    valid: ({ spare }) => ({ path: { id: spare.callback } }),
    calls: [missing('callback', { path: { id: unknownId } })],
  },
  {
    operation: 'PUT /callbacks/{id}',
    request: {
      callback_arguments: 'string',
      condition: 'string',
      description: 'string',
      function: 'string',
      label: 'string',
      initial_delay: 'integer',
      run_timeout: 'integer',
      wait_timeout: 'integer',
    },
    response: 'Callback',
    statuses: [200, 404],
    valid: ({ spare }) => ({ path: { id: spare.callback }, body: { function: 'worker' } }),
    values: {
      callback_arguments: ['{"queue":"pipelines"}', '{"queue":"q","payload":{"size":[1,2.5,null,"ä"]}}'],
      condition: ['', 'true', "experiment.label == 'x'"],
      description: texts,
      function: ['worker', 'segment_brain'],
      label: labels,
      initial_delay: counts,
      run_timeout: counts,
      wait_timeout: counts,
    },
    calls: [missing('callback', { path: { id: unknownId } })],
  },
];
