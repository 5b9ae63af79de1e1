/** Section 4, "Actions". */
import { missing, unknownId, type Operation } from '../operation.ts';

export const actions: Operation[] = [
  {
    operation: 'GET /actions',
    response: { actions: ['ActionSummary'] },
    statuses: [200],
    valid: () => ({}),
  },
  {
    operation: 'GET /actions/{id}',
    response: 'Action',
    statuses: [200, 404],
    valid: ({ run }) => ({ path: { id: run.action } }),
    calls: async ({ newExecution }) => [
      { status: 200, when: 'action open', path: { id: (await newExecution()).action }, shows: { success: false } },
      missing('action', { path: { id: unknownId } }),
    ],
  },
  {
    operation: 'PUT /actions/{id}',
    request: { end_time: 'string', return_value: 'string', success: 'boolean' },
    response: 'Action',
    statuses: [200, 404],
    valid: ({ run }) => ({ path: { id: run.action }, body: { end_time: '2040-01-01T00:00:00.000Z' } }),
    values: {
      end_time: ['2040-01-01T00:00:00.000Z', '2040-02-29T23:59:59.999Z'],
      return_value: ['', 'No callback for state', '[{"transition_id": 1}]', 'Größe 日本 🧠'],
      success: [true, false],
    },
    calls: [
      {
        status: 200,
        when: 'end_time has an offset',
        body: { end_time: '2040-01-01T01:00:00+01:00' },
        shows: { end_time: '2040-01-01T00:00:00.000Z' },
      },
      missing('action', { path: { id: unknownId } }),
    ],
  },
  {
    operation: 'GET /experiments/{id}/actions',
    response: { actions: ['ActionSummary'] },
    statuses: [200],
    valid: ({ run }) => ({ path: { id: run.experiment.id } }),
    calls: [missing('experiment', { path: { id: unknownId } })],
  },
];
