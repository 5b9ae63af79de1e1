/** Section 4, "Callback executions and callbacks". */
import { missing, unknownId, type Operation } from '../operation.ts';
import type { Study } from '../study.ts';
import { counts, labels, texts } from '../values.ts';

/** An execution that has a result but is not finished. */
async function withEarlyResult({ send, newExecution }: Study): Promise<number> {
  const { id } = await newExecution();
  await send('PUT /callback_executions/{id}', { path: { id }, body: { result: 'success' } });
  return id;
}

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
    calls: async (study) => [
      {
        status: 200,
        when: 'result before finished',
        body: { status: 'running', result: 'success' },
        shows: { status: 'running', result: 'success', finished: null },
      },
      {
        status: 200,
        when: 'finished after the result',
        path: { id: await withEarlyResult(study) },
        shows: { status: 'finished', result: 'success' },
      },
      missing('execution', { path: { id: unknownId } }),
    ],
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
