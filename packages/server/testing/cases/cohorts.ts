import type { cohortOperations } from '@milepost/api';
import { found, invalid, missingParts, noSuchId, taken, unknownParameter, invalidPaging } from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import { externalValueCases } from './external-values.ts';
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

const urls = externalValueCases({
  make: (world) => world.cohort(),
  name: 'cohort',
  field: 'external_urls',
  table: 'cohort_urls',
  column: 'url',
});

export const cohortCases: SectionCases<typeof cohortOperations> = {
  createCohort: {
    success: {
      'creates a cohort with a label and a description': (world) => {
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
      'rejects a missing label': () => invalid({ body: {} }, '/label'),
      'rejects a label that is a number': () => invalid({ body: { label: 5 } }, '/label'),
    },
    'missing reference': refersToNothing,
    conflict: {
      'rejects an existing label': async (world) => taken({ body: await byLabel(world) }, '/label'),
    },
  },
  listCohorts: {
    success: {
      'returns a page with one cohort': async (world) => {
        const cohort = await world.cohort();
        return found({ query: { after: cohort.id - 1, limit: 1 } }, { cohorts: [ref('cohorts', cohort)] });
      },
    },
    validation: invalidPaging(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getCohortByLabel: {
    success: {
      'returns the cohort with this label': async (world) => {
        const { id, label } = await world.cohort();
        return found({ params: { label } }, { id, label });
      },
    },
    validation: unknownParameter(byLabel),
    'missing reference': missingParts(byLabel, { label: 'unknown' }),
    conflict: readsOnly,
  },
  getCohort: {
    success: {
      'returns a cohort with its subjects': async (world) => {
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
      'changes the description': async (world) => {
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
      'rejects a description that is a list': async (world) =>
        invalid({ params: await byId(world), body: { description: [] } }, '/description'),
    },
    'missing reference': missingParts(byId, { id: noSuchId }, { description: 'other' }),
    conflict: {
      'rejects the label of another cohort': async (world) =>
        taken({ params: await byId(world), body: await byLabel(world) }, '/label'),
    },
  },
  addCohortExternalUrls: urls.add,
  getCohortExternalUrls: urls.get,
  setCohortExternalUrl: urls.set,
  deleteCohortExternalUrl: urls.remove,
  listCohortSubjects: {
    success: {
      'returns the subjects of a cohort': async (world) => {
        const { cohort, ...subject } = await world.subject();
        return found({ params: { label: cohort.label } }, { subjects: [ref('subjects', subject)] });
      },
    },
    validation: invalidPaging(byLabel),
    'missing reference': missingParts(byLabel, { label: 'unknown' }),
    conflict: readsOnly,
  },
  getCohortSubject: {
    success: {
      'returns the subject with these labels': async (world) => {
        const { cohort, ...subject } = await world.subject();
        const params = { label: cohort.label, subject_label: subject.label };
        return found({ params }, { id: subject.id, cohort: ref('cohorts', cohort) });
      },
    },
    validation: unknownParameter(bySubject),
    'missing reference': missingParts(bySubject, { label: 'unknown', subject_label: 'unknown' }),
    conflict: readsOnly,
  },
  listCohortSubjectExperiments: {
    success: {
      'returns the experiments of a subject': async (world) => {
        const subject = await world.subject();
        const experiment = await world.experimentOf(subject);
        const params = { label: subject.cohort.label, subject_label: subject.label };
        return found({ params }, { experiments: [ref('experiments', experiment)] });
      },
    },
    validation: invalidPaging(bySubject),
    'missing reference': missingParts(bySubject, { label: 'unknown', subject_label: 'unknown' }),
    conflict: readsOnly,
  },
  getCohortSubjectExperiment: {
    success: {
      'returns the experiment with these labels': async (world) => {
        const subject = await world.subject();
        const { id, label } = await world.experimentOf(subject);
        const params = { label: subject.cohort.label, subject_label: subject.label, experiment_label: label };
        const body = { id, label, subject: ref('subjects', subject), state: { label: 'arrived' }, variable_map: {} };
        return found({ params }, body);
      },
    },
    validation: unknownParameter(byExperiment),
    'missing reference': missingParts(byExperiment, {
      label: 'unknown',
      subject_label: 'unknown',
      experiment_label: 'unknown',
    }),
    conflict: readsOnly,
  },
};
