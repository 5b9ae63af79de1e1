/** Section 4, "Experiments". */
import { refOf } from '../factories.ts';
import { missing, unknownId, type Call, type Operation } from '../operation.ts';
import type { Study } from '../study.ts';
import { externalIds, labels, texts, unique } from '../values.ts';

const newPath = async ({ newExperiment }: Study) => ({ id: (await newExperiment()).id });

/** Three experiments of a new subject, which no one moved. */
async function filterCalls({ newSubject, newExperiment, run }: Study): Promise<Call[]> {
  const subject_id = (await newSubject()).id;
  const [a, b, c] = [
    refOf(await newExperiment({ subject_id, scandate: '2026-02-17' })),
    refOf(await newExperiment({ subject_id, scandate: '2026-02-18' })),
    refOf(await newExperiment({ subject_id, scandate: '2026-02-19' })),
  ];
  const scandate = '2026-02-18';
  const all = { subject_id, scandate, state: 'arrived', offset: 0, limit: 1 };
  const first = { state: 'processed', limit: 1 };
  return [
    { status: 200, when: 'subject_id', query: { subject_id }, shows: { experiments: [a, b, c] } },
    { status: 200, when: 'offset', query: { subject_id, offset: 1 }, shows: { experiments: [b, c] } },
    { status: 200, when: 'limit', query: { subject_id, limit: 2 }, shows: { experiments: [a, b] } },
    { status: 200, when: 'scandate', query: { subject_id, scandate }, shows: { experiments: [b] } },
    { status: 200, when: 'state', query: { subject_id, state: 'processed' }, shows: { experiments: [] } },
    { status: 200, when: 'state, limit', query: first, shows: { experiments: [refOf(run.experiment)] } },
    { status: 200, when: 'all', query: all, shows: { experiments: [b] } },
  ];
}

export const experiments: Operation[] = [
  {
    operation: 'POST /experiments',
    request: { label: 'string', scandate: 'string', subject_id: 'integer', workflow_label: 'string' },
    response: 'Experiment',
    statuses: [200, 201, 404],
    valid: ({ subject, workflow }) => ({
      status: 201,
      body: { label: unique('visit'), subject_id: subject.id, workflow_label: workflow },
    }),
    required: ['label', 'subject_id'],
    values: {
      label: labels,
      scandate: ['2026-02-17T09:30:00', '1999-12-31T23:59:59'],
      subject_id: [(study: Study) => study.subject.id, async (study: Study) => (await study.newSubject()).id],
      workflow_label: labels.map((label) => (study: Study) => study.newWorkflow(label())),
    },
    shownAs: { subject_id: 'subject.id' },
    calls: [
      {
        status: 201,
        when: 'scandate is a date',
        body: { scandate: '2026-02-17' },
        shows: { scandate: '2026-02-17T00:00:00' },
      },
      {
        status: 201,
        when: 'scandate has an offset',
        body: { scandate: '2026-02-17T09:30:00+01:00' },
        shows: { scandate: '2026-02-17T09:30:00' },
      },
      missing('subject', { body: { subject_id: unknownId } }),
      missing('workflow', { body: { workflow_label: 'Nowhere' } }),
      { status: 409, when: 'label exists', again: true },
    ],
    unreachable: { 200: '0004' },
  },
  {
    operation: 'GET /experiments',
    query: { scandate: 'string', subject_id: 'string', state: 'string', offset: 'integer', limit: 'integer' },
    response: { experiments: ['Ref'] },
    statuses: [200],
    valid: () => ({}),
    values: {
      scandate: ['2026-02-17', '2026-02-17T09:30:00', '1900-01-01'],
      subject_id: [(study: Study) => study.subject.id, unknownId],
      state: ['arrived', 'processed', 'Nowhere'],
      offset: [0, 1, 1_000_000],
      limit: [0, 1, 100, 100_000],
    },
    calls: filterCalls,
  },
  {
    operation: 'GET /experiments/{id}',
    response: 'Experiment',
    statuses: [200, 404],
    valid: ({ run }) => ({ path: { id: run.experiment.id } }),
    calls: [missing('experiment', { path: { id: unknownId } })],
  },
  {
    operation: 'POST /experiments/{id}/external_ids',
    request: { external_ids: 'string' },
    response: 'ExperimentExternalIds',
    statuses: [200, 201, 404],
    valid: async (study) => ({
      status: 201,
      path: await newPath(study),
      body: { external_ids: JSON.stringify({ [study.system]: 'E1' }) },
    }),
    required: ['external_ids'],
    values: { external_ids: externalIds.map((id) => (study: Study) => JSON.stringify({ [study.archive]: id })) },
    alsoTakes: { external_ids: 'object' },
    calls: async ({ system }) => [
      { status: 200, when: 'nothing changes', again: true, shows: { external_ids: { [system]: 'E1' } } },
      missing('experiment', { path: { id: unknownId } }),
      missing('external system', { body: { external_ids: '{"Nowhere": "E1"}' } }),
    ],
  },
  {
    operation: 'GET /experiments/{id}/external_ids',
    response: 'ExperimentExternalIds',
    statuses: [200, 404],
    valid: ({ run }) => ({ path: { id: run.experiment.id } }),
    calls: [missing('experiment', { path: { id: unknownId } })],
  },
  {
    operation: 'PUT /experiments/{id}/external_ids/{system_name}',
    request: { external_id: 'string' },
    response: 'ExperimentExternalIds',
    statuses: [200, 201, 404],
    valid: async (study) => ({
      status: 201,
      path: { ...(await newPath(study)), system_name: study.system },
      body: { external_id: 'E1' },
    }),
    required: ['external_id'],
    values: {
      external_id: externalIds,
      system_name: [(study: Study) => study.system, (study: Study) => study.archive],
    },
    calls: async ({ system }) => [
      {
        status: 201,
        when: 'another value is set',
        again: true,
        body: { external_id: 'E2' },
        shows: { external_ids: { [system]: 'E2' } },
      },
      { status: 200, when: 'nothing changes', again: true, shows: { external_ids: { [system]: 'E1' } } },
      missing('experiment', { path: { id: unknownId } }),
      missing('external system', { path: { system_name: 'Nowhere' } }),
    ],
  },
  {
    operation: 'DELETE /experiments/{id}/external_ids/{system_name}',
    response: 'ExperimentExternalIds',
    statuses: [200, 404],
    valid: async (study) => {
      const path = { ...(await newPath(study)), system_name: study.archive };
      await study.send('PUT /experiments/{id}/external_ids/{system_name}', { path, body: { external_id: 'E1' } });
      return { path };
    },
    calls: [
      missing('experiment', { path: { id: unknownId } }),
      missing('external system', { path: { system_name: 'Nowhere' } }),
      { status: 404, when: 'external id missing', again: true },
    ],
  },
  {
    operation: 'GET /experiments/{id}/state',
    response: { state: { id: 'integer', label: 'string', uri: 'string' } },
    statuses: [200, 404],
    valid: ({ run }) => ({ path: { id: run.experiment.id } }),
    calls: [missing('experiment', { path: { id: unknownId } })],
  },
  {
    operation: 'PUT /experiments/{id}/state',
    request: { freetext: 'string', state_label: 'string' },
    response: 'StateChangeResult',
    statuses: [200, 404, 409],
    valid: async (study) => ({ path: await newPath(study), body: { state_label: 'processed' } }),
    required: ['state_label'],
    values: { freetext: texts, state_label: ['processed', 'rejected'] },
    shownAs: { state_label: 'state.label' },
    calls: [
      missing('experiment', { path: { id: unknownId } }),
      {
        status: 404,
        when: 'state missing',
        body: { state_label: 'Nowhere' },
        response: 'StateChangeResult',
        shows: { success: false, 'state.label': 'arrived' },
      },
      {
        status: 409,
        when: 'no valid transition',
        again: true,
        response: 'StateChangeResult',
        shows: { success: false, 'state.label': 'processed' },
      },
    ],
  },
];
