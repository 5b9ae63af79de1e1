/** Section 4, "External links". */
import { missing, unknownId, type Operation } from '../operation.ts';
import { read } from '../factories.ts';
import type { Study } from '../study.ts';
import { externalIds } from '../values.ts';

const systems = [({ system }: Study) => system, ({ archive }: Study) => archive];

/** The specification declares the reference to an experiment as text. */
const experimentLink = async ({ newExperiment, system }: Study) => ({
  body: { experiment: (await newExperiment()).label, external_id: 'E1', external_system: system },
});
const experimentReferences = [
  async ({ newExperiment }: Study) => (await newExperiment()).label,
  async ({ newExperiment }: Study) => (await newExperiment()).uri,
  async ({ newExperiment }: Study) => String((await newExperiment()).id),
];

const subjectLink = async ({ newSubject, system }: Study) => ({
  status: 201,
  body: { external_id: 'S1', external_system: system, subject_id: (await newSubject()).id },
});
const newSubjectId = async ({ newSubject }: Study) => (await newSubject()).id;

const missingSystem = missing('external system', { body: { external_system: 'Nowhere' } });

export const externalLinks: Operation[] = [
  {
    operation: 'GET /external_experiment_links',
    response: { external_experiment_links: ['ExperimentLink'] },
    statuses: [200],
    valid: async (study) => {
      await read(study.send, 'POST /external_experiment_links', await experimentLink(study));
      return {};
    },
  },
  {
    operation: 'POST /external_experiment_links',
    request: { experiment: 'string', external_id: 'string', external_system: 'string' },
    response: 'ExperimentLink',
    statuses: [200, 201, 404, 409],
    valid: async (study) => ({ status: 201, ...(await experimentLink(study)) }),
    required: ['experiment', 'external_id', 'external_system'],
    values: { experiment: experimentReferences, external_id: externalIds, external_system: systems },
    shownAs: { external_system: 'external_system.system_name' },
    alsoTakes: { experiment: 'integer', external_system: 'integer' },
    calls: [
      missing('experiment', { body: { experiment: 'Nowhere' } }),
      missingSystem,
      { status: 409, when: 'link exists', again: true },
    ],
    unreachable: { 200: '0004' },
  },
  {
    operation: 'PUT /external_experiment_links',
    request: { experiment: 'string', external_id: 'string', external_system: 'string' },
    response: 'ExperimentLink',
    statuses: [200, 404],
    valid: experimentLink,
    required: ['experiment', 'external_id', 'external_system'],
    values: { experiment: experimentReferences, external_id: externalIds, external_system: systems },
    shownAs: { external_system: 'external_system.system_name' },
    alsoTakes: { experiment: 'integer', external_system: 'integer' },
    calls: [
      { status: 200, when: 'external_id changes', again: true, body: { external_id: 'E2' } },
      missing('experiment', { body: { experiment: 'Nowhere' } }),
      missingSystem,
    ],
  },
  {
    operation: 'GET /external_experiment_links/{id}',
    response: 'ExperimentLink',
    statuses: [200, 404],
    valid: async (study) => {
      await read(study.send, 'POST /external_experiment_links', await experimentLink(study));
      const { external_experiment_links: links = [] } = await read(study.send, 'GET /external_experiment_links');
      return { path: { id: links.at(-1)?.id ?? 0 } };
    },
    calls: [missing('link', { path: { id: unknownId } })],
  },
  {
    operation: 'GET /external_subject_links',
    response: { external_subject_links: ['SubjectLink'] },
    statuses: [200],
    valid: async (study) => {
      await read(study.send, 'POST /external_subject_links', await subjectLink(study));
      return {};
    },
  },
  {
    operation: 'POST /external_subject_links',
    request: { external_id: 'string', external_system: 'string', subject_id: 'integer' },
    response: 'SubjectLink',
    statuses: [200, 201, 404, 409],
    valid: subjectLink,
    required: ['external_id', 'external_system', 'subject_id'],
    values: { external_id: externalIds, external_system: systems, subject_id: [newSubjectId, newSubjectId] },
    shownAs: { external_system: 'external_system.system_name', subject_id: 'subject.id' },
    alsoTakes: { external_system: 'integer', subject_id: 'string' },
    calls: [
      missing('subject', { body: { subject_id: unknownId } }),
      missingSystem,
      { status: 409, when: 'link exists', again: true },
    ],
    unreachable: { 200: '0004' },
  },
  {
    operation: 'PUT /external_subject_links',
    request: { external_id: 'string', external_system: 'string', subject_id: 'integer' },
    response: 'SubjectLink',
    statuses: [200, 201, 404],
    valid: subjectLink,
    required: ['external_id', 'external_system', 'subject_id'],
    values: { external_id: externalIds, external_system: systems, subject_id: [newSubjectId, newSubjectId] },
    shownAs: { external_system: 'external_system.system_name', subject_id: 'subject.id' },
    alsoTakes: { external_system: 'integer', subject_id: 'string' },
    calls: [
      { status: 201, when: 'another value is set', again: true, body: { external_id: 'S2' } },
      { status: 200, when: 'nothing changes', again: true },
      missing('subject', { body: { subject_id: unknownId } }),
      missingSystem,
    ],
  },
  {
    operation: 'GET /external_subject_links/{id}',
    response: 'SubjectLink',
    statuses: [200, 404],
    valid: async (study) => {
      await read(study.send, 'POST /external_subject_links', await subjectLink(study));
      const { external_subject_links: links = [] } = await read(study.send, 'GET /external_subject_links');
      return { path: { id: links.at(-1)?.id ?? 0 } };
    },
    calls: [missing('link', { path: { id: unknownId } })],
  },
];
