/** Section 4, "Subjects". */
import { refOf } from '../factories.ts';
import { missing, unknownId, type Call, type Operation } from '../operation.ts';
import type { Study } from '../study.ts';
import { externalIds, labels, unique } from '../values.ts';

const cohortLabels = labels.map((label) => async ({ newCohort }: Study) => {
  const cohort = await newCohort({ label: label() });
  return cohort.label;
});

const dates = ['1957-03-02', '1900-01-01', '2024-02-29'];

const midnights = ['1957-03-02T00:00:00', '1957-03-02T00:00:00Z', '1957-03-02T00:00:00+02:00'];

/** Many libraries have no type for a date without a time. */
const midnightCalls = (status: number): Call[] =>
  midnights.map((date_of_birth) => ({
    status,
    when: `date_of_birth is ${date_of_birth}`,
    body: { date_of_birth },
    shows: { date_of_birth: '1957-03-02' },
  }));

/** Three subjects of a new cohort. */
async function filterCalls({ newCohort, newSubject }: Study): Promise<Call[]> {
  const { label: cohort_label } = await newCohort();
  const [a, b, c] = [
    refOf(await newSubject({ cohort_label })),
    refOf(await newSubject({ cohort_label })),
    refOf(await newSubject({ cohort_label })),
  ];
  return [
    { status: 200, when: 'cohort_label', query: { cohort_label }, shows: { subjects: [a, b, c] } },
    { status: 200, when: 'offset', query: { cohort_label, offset: 1 }, shows: { subjects: [b, c] } },
    { status: 200, when: 'limit', query: { cohort_label, limit: 2 }, shows: { subjects: [a, b] } },
    { status: 200, when: 'all', query: { cohort_label, offset: 1, limit: 1 }, shows: { subjects: [b] } },
    { status: 200, when: 'no such cohort', query: { cohort_label: 'Nowhere' }, shows: { subjects: [] } },
  ];
}

export const subjects: Operation[] = [
  {
    operation: 'POST /subjects',
    request: { cohort_label: 'string', date_of_birth: 'string', label: 'string' },
    response: 'Subject',
    statuses: [200, 201],
    valid: ({ cohort }) => ({ status: 201, body: { label: unique('MC'), cohort_label: cohort.label } }),
    required: ['label', 'cohort_label'],
    values: { cohort_label: cohortLabels, date_of_birth: dates, label: labels },
    shownAs: { cohort_label: 'cohort.label' },
    calls: [
      ...midnightCalls(201),
      missing('cohort', { body: { cohort_label: 'Nowhere' } }),
      { status: 409, when: 'label exists', again: true },
    ],
    unreachable: { 200: '0004' },
    alwaysEmpty: ['experiments[]'],
  },
  {
    operation: 'GET /subjects',
    query: { cohort_label: 'string', offset: 'integer', limit: 'integer' },
    response: { subjects: ['Ref'] },
    statuses: [200],
    valid: () => ({}),
    values: { cohort_label: cohortLabels, offset: [0, 1, 1_000_000], limit: [0, 1, 100, 100_000] },
    calls: filterCalls,
  },
  {
    operation: 'GET /subjects/{id}',
    response: 'Subject',
    statuses: [200, 404],
    valid: ({ subject }) => ({ path: { id: subject.id } }),
    calls: [missing('subject', { path: { id: unknownId } })],
  },
  {
    operation: 'PUT /subjects/{id}',
    request: { cohort_label: 'string', date_of_birth: 'string', label: 'string' },
    response: 'Subject',
    statuses: [200, 404],
    valid: ({ spare }) => ({ path: { id: spare.subject }, body: {} }),
    values: { cohort_label: cohortLabels, date_of_birth: dates, label: labels },
    shownAs: { cohort_label: 'cohort.label' },
    calls: async ({ cohort, subject }) => [
      ...midnightCalls(200),
      missing('subject', { path: { id: unknownId } }),
      missing('cohort', { body: { cohort_label: 'Nowhere' } }),
      { status: 409, when: 'label exists', body: { cohort_label: cohort.label, label: subject.label } },
    ],
  },
  {
    operation: 'POST /subjects/{id}/external_ids',
    request: { external_ids: 'string' },
    response: 'SubjectExternalIds',
    statuses: [200, 201, 404],
    valid: async ({ newSubject, system }) => ({
      status: 201,
      path: { id: (await newSubject()).id },
      body: { external_ids: JSON.stringify({ [system]: 'S1' }) },
    }),
    required: ['external_ids'],
    values: { external_ids: externalIds.map((id) => (study: Study) => JSON.stringify({ [study.archive]: id })) },
    alsoTakes: { external_ids: 'object' },
    calls: async ({ system }) => [
      { status: 200, when: 'nothing changes', again: true, shows: { external_ids: { [system]: 'S1' } } },
      missing('subject', { path: { id: unknownId } }),
      missing('external system', { body: { external_ids: '{"Nowhere": "S1"}' } }),
    ],
  },
  {
    operation: 'GET /subjects/{id}/external_ids',
    response: 'SubjectExternalIds',
    statuses: [200, 404],
    valid: ({ subject }) => ({ path: { id: subject.id } }),
    calls: [missing('subject', { path: { id: unknownId } })],
  },
  {
    operation: 'PUT /subjects/{id}/external_ids/{system_name}',
    request: { external_id: 'string' },
    response: 'SubjectExternalIds',
    statuses: [200, 201, 404],
    valid: async ({ newSubject, system }) => ({
      status: 201,
      path: { id: (await newSubject()).id, system_name: system },
      body: { external_id: 'S1' },
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
        body: { external_id: 'S2' },
        shows: { external_ids: { [system]: 'S2' } },
      },
      { status: 200, when: 'nothing changes', again: true, shows: { external_ids: { [system]: 'S1' } } },
      missing('subject', { path: { id: unknownId } }),
      missing('external system', { path: { system_name: 'Nowhere' } }),
    ],
  },
  {
    operation: 'DELETE /subjects/{id}/external_ids/{system_name}',
    response: 'SubjectExternalIds',
    statuses: [200, 404],
    valid: async ({ send, newSubject, archive }) => {
      const path = { id: (await newSubject()).id, system_name: archive };
      await send('PUT /subjects/{id}/external_ids/{system_name}', { path, body: { external_id: 'S1' } });
      return { path };
    },
    calls: [
      missing('subject', { path: { id: unknownId } }),
      missing('external system', { path: { system_name: 'Nowhere' } }),
      { status: 404, when: 'external id missing', again: true },
    ],
  },
];
