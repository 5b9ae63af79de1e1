import type { cohortOperations } from '@milepost/api';
import { found, invalid, missingParts, noSuchId, taken, unknownParameter, wrongPages } from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import { systemTextCases } from './system-texts.ts';
import type { World } from './world.ts';

const byId = async (world: World) => ({ id: (await world.cohort()).id });
const byLabel = async (world: World) => ({ label: (await world.cohort()).label });
const bySubject = async (world: World) => {
  const { label, cohort } = await world.subject();
  return { label: cohort.label, subject_label: label };
};
const byExperiment = async (world: World) => {
  const subject = await world.subject();
  const { label } = await world.experimentOf(subject);
  return { label: subject.cohort.label, subject_label: subject.label, experiment_label: label };
};
const ref = (collection: string, { id, label }: { id: number; label: string }) => ({
  id,
  label,
  uri: `/api/v2/${collection}/${id}`,
});

const urls = systemTextCases({
  make: (world) => world.cohort(),
  name: 'cohort',
  field: 'external_urls',
  table: 'cohort_urls',
  column: 'url',
});

export const cohortCases: SectionCases<typeof cohortOperations> = {
  createCohort: {
    success: {
      'label and description': (world) => {
        const values = { label: world.fresh('cohort'), description: 'new' };
        return {
          request: { body: values },
          status: 201,
          body: { ...values, external_urls: {}, subjects: [] },
          stored: {
            query: 'select label, description from cohorts where label = $1',
            values: [values.label],
            rows: [values],
          },
        };
      },
    },
    validation: {
      'no label': () => invalid({ body: {} }, '/label'),
      'a label that is a number': () => invalid({ body: { label: 5 } }, '/label'),
    },
    'missing reference': refersToNothing,
    conflict: {
      'a label that exists': async (world) => taken({ body: await byLabel(world) }, '/label'),
    },
  },
  listCohorts: {
    success: {
      'a page of one': async (world) => {
        const cohort = await world.cohort();
        return found({ query: { after: cohort.id - 1, limit: 1 } }, { cohorts: [ref('cohorts', cohort)] });
      },
    },
    validation: wrongPages(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getCohortByLabel: {
    success: {
      'an existing label': async (world) => {
        const { id, label } = await world.cohort();
        return found({ params: { label } }, { id, label });
      },
    },
    validation: unknownParameter(byLabel),
    'missing reference': missingParts(byLabel, { label: 'nobody' }),
    conflict: readsOnly,
  },
  getCohort: {
    success: {
      'one with a subject': async (world) => {
        const { cohort, ...subject } = await world.subject();
        const body = { id: cohort.id, label: cohort.label, subjects: [ref('subjects', subject)] };
        return found({ params: { id: cohort.id } }, body);
      },
    },
    validation: unknownParameter(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
  updateCohort: {
    success: {
      'a description': async (world) => {
        const { id, label } = await world.cohort();
        return {
          ...found({ params: { id }, body: { description: 'other' } }, { id, label, description: 'other' }),
          stored: {
            query: 'select label, description, version from cohorts where id = $1',
            values: [id],
            rows: [{ label, description: 'other', version: '2' }],
          },
        };
      },
    },
    validation: {
      'a description that is a list': async (world) =>
        invalid({ params: await byId(world), body: { description: [] } }, '/description'),
    },
    'missing reference': missingParts(byId, { id: noSuchId }, { description: 'other' }),
    conflict: {
      'the label of another': async (world) =>
        taken({ params: await byId(world), body: await byLabel(world) }, '/label'),
    },
  },
  addCohortExternalUrls: urls.add,
  getCohortExternalUrls: urls.get,
  setCohortExternalUrl: urls.set,
  deleteCohortExternalUrl: urls.remove,
  listCohortSubjects: {
    success: {
      'one subject': async (world) => {
        const { cohort, ...subject } = await world.subject();
        return found({ params: { label: cohort.label } }, { subjects: [ref('subjects', subject)] });
      },
    },
    validation: wrongPages(byLabel),
    'missing reference': missingParts(byLabel, { label: 'nobody' }),
    conflict: readsOnly,
  },
  getCohortSubject: {
    success: {
      'existing labels': async (world) => {
        const { cohort, ...subject } = await world.subject();
        const params = { label: cohort.label, subject_label: subject.label };
        return found({ params }, { id: subject.id, cohort: ref('cohorts', cohort) });
      },
    },
    validation: unknownParameter(bySubject),
    'missing reference': missingParts(bySubject, { label: 'nobody', subject_label: 'nobody' }),
    conflict: readsOnly,
  },
  listCohortSubjectExperiments: {
    success: {
      'one experiment': async (world) => {
        const subject = await world.subject();
        const experiment = await world.experimentOf(subject);
        const params = { label: subject.cohort.label, subject_label: subject.label };
        return found({ params }, { experiments: [ref('experiments', experiment)] });
      },
    },
    validation: wrongPages(bySubject),
    'missing reference': missingParts(bySubject, { label: 'nobody', subject_label: 'nobody' }),
    conflict: readsOnly,
  },
  getCohortSubjectExperiment: {
    success: {
      'existing labels': async (world) => {
        const subject = await world.subject();
        const { id, label } = await world.experimentOf(subject);
        const params = { label: subject.cohort.label, subject_label: subject.label, experiment_label: label };
        const body = { id, label, subject: ref('subjects', subject), state: { label: 'arrived' }, variable_map: {} };
        return found({ params }, body);
      },
    },
    validation: unknownParameter(byExperiment),
    'missing reference': missingParts(byExperiment, {
      label: 'nobody',
      subject_label: 'nobody',
      experiment_label: 'nobody',
    }),
    conflict: readsOnly,
  },
};
