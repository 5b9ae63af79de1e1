import type { subjectOperations } from '@milepost/api';
import {
  found,
  invalid,
  missing,
  missingParts,
  noSuchId,
  taken,
  unknownParameter,
  invalidPaging,
} from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import { externalValueCases } from './external-values.ts';
import type { World } from './world.ts';

const byId = async (world: World) => ({ id: (await world.subject()).id });

const ids = externalValueCases({
  make: (world) => world.subject(),
  name: 'subject',
  field: 'external_ids',
  table: 'external_subject_links',
  column: 'external_id',
});

export const subjectCases: SectionCases<typeof subjectOperations> = {
  createSubject: {
    success: {
      'creates a subject with a date of birth': async (world) => {
        const [label, cohort] = [world.fresh('subject'), await world.cohort()];
        return {
          request: { body: { label, cohort_label: cohort.label, date_of_birth: '1951-03-08' } },
          status: 201,
          body: { label, cohort: { id: cohort.id }, date_of_birth: '1951-03-08', experiments: [], external_ids: {} },
          stored: {
            query: 'select cohort_id, date_of_birth::text as born from subjects where label = $1',
            values: [label],
            rows: [{ cohort_id: String(cohort.id), born: '1951-03-08' }],
          },
        };
      },
    },
    validation: {
      'rejects a missing label and a missing cohort': () => invalid({ body: {} }, '/label', '/cohort_label'),
      'rejects a date that does not exist': async (world) => {
        const { label: cohort_label } = await world.cohort();
        return invalid({ body: { label: 's', cohort_label, date_of_birth: '2023-02-29' } }, '/date_of_birth');
      },
    },
    'missing reference': {
      'returns 404 for an unknown cohort': () =>
        missing({ body: { label: 's', cohort_label: 'unknown' } }, '/cohort_label'),
    },
    conflict: {
      'rejects the label of another subject of the cohort': async (world) => {
        const { label, cohort } = await world.subject();
        return taken({ body: { label, cohort_label: cohort.label } }, '/label');
      },
    },
  },
  listSubjects: {
    success: {
      'returns the subjects of a cohort': async (world) => {
        const { id, label, cohort } = await world.subject();
        const subjects = [{ id, label, uri: `/api/v2/subjects/${id}` }];
        return found({ query: { cohort_label: cohort.label } }, { subjects });
      },
    },
    validation: invalidPaging(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getSubject: {
    success: {
      'returns a subject with its experiments': async (world) => {
        const subject = await world.subject();
        const { id, label } = await world.experimentOf(subject);
        const body = {
          uri: `/api/v2/subjects/${subject.id}`,
          api_uri: `https://milepost.example.org/api/v2/subjects/${subject.id}`,
          web_uri: `https://milepost.example.org/subjects/${subject.id}`,
          date_of_birth: null,
          experiments: [{ id, label, uri: `/api/v2/experiments/${id}` }],
        };
        return found({ params: { id: subject.id } }, body);
      },
    },
    validation: unknownParameter(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
  updateSubject: {
    success: {
      'moves a subject to another cohort': async (world) => {
        const [{ id, label }, cohort] = [await world.subject(), await world.cohort()];
        return {
          ...found({ params: { id }, body: { cohort_label: cohort.label } }, { id, label, cohort: { id: cohort.id } }),
          stored: {
            query: 'select cohort_id, version from subjects where id = $1',
            values: [id],
            rows: [{ cohort_id: String(cohort.id), version: '2' }],
          },
        };
      },
    },
    validation: {
      'rejects a label that is not text': async (world) =>
        invalid({ params: await byId(world), body: { label: 5 } }, '/label'),
    },
    'missing reference': {
      ...missingParts(byId, { id: noSuchId }, { label: 'other' }),
      'returns 404 for an unknown cohort': async (world) =>
        missing({ params: await byId(world), body: { label: 'x', cohort_label: 'unknown' } }, '/cohort_label'),
    },
    conflict: {
      'rejects the label of another subject of the new cohort': async (world) => {
        const other = await world.subject();
        const body = { label: other.label, cohort_label: other.cohort.label };
        return taken({ params: await byId(world), body }, '/label');
      },
    },
  },
  addSubjectExternalIds: ids.add,
  getSubjectExternalIds: ids.get,
  setSubjectExternalId: ids.set,
  deleteSubjectExternalId: ids.remove,
};
