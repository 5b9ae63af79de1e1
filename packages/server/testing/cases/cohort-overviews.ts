import type { cohortOverviewOperations } from '@milepost/api';
import { cohortOf, failed } from './attention.ts';
import { found, invalid, invalidPaging, missingParts, noSuchId, unknownParameter } from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { Labelled, World } from './world.ts';

const ref = (collection: string, { id, label }: Labelled) => ({ id, label, uri: `/api/v2/${collection}/${id}` });
const byCohort = async (world: World) => ({ id: (await world.cohort()).id });

export const cohortOverviewCases: SectionCases<typeof cohortOverviewOperations> = {
  listCohortRows: {
    success: {
      'returns a cohort with its number of subjects': async (world) => {
        const { cohort } = await world.subject();
        const { id, label } = cohort;
        const shown = { ...ref('cohorts', { id, label }), subjects: 1, withdrawn: 0, experiments: 0, progress: [] };
        return found({ query: { after: id - 1, limit: 1 } }, { cohorts: [shown] });
      },
    },
    validation: invalidPaging(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getCohortSummary: {
    success: {
      'counts an experiment that needs attention, and returns its visit': async (world) => {
        const { experiment } = await failed(world);
        const cohort = await cohortOf(world, experiment.id);
        const body = {
          subjects: 1,
          experiments: 1,
          progress: [{ part: 'attention', title: null, experiments: 1 }],
          subjects_attention: 1,
          visits: [{ visit: experiment.label, subjects: 1 }],
        };
        return found({ params: { id: cohort } }, body);
      },
    },
    validation: unknownParameter(byCohort),
    'missing reference': missingParts(byCohort, { id: noSuchId }),
    conflict: readsOnly,
  },
  getCohortMatrix: {
    success: {
      'returns subjects with their experiments and incidents': async (world) => {
        const { experiment } = await failed(world);
        const { id, label, subjectId, workflow } = experiment;
        const state = { id: workflow.states['checked'], label: 'checked' };
        const shown = { ...ref('experiments', { id, label }), workflow: ref('workflows', workflow), state };
        const subjects = [{ id: subjectId, experiments: [{ ...shown, visit: label, incidents: ['failed'] }] }];
        return found({ params: { id: await cohortOf(world, id) } }, { subjects, next: null });
      },
      'finds a subject by all filters': async (world) => {
        const { experiment } = await failed(world);
        const params = { id: await cohortOf(world, experiment.id) };
        const query = { state_id: experiment.workflow.states['checked'] ?? 0, attention: 'any' };
        return found({ params, query }, { subjects: [{ id: experiment.subjectId }], next: null });
      },
      'finds no subject with gaps if all have all experiments': async (world) => {
        const { experiment } = await failed(world);
        const params = { id: await cohortOf(world, experiment.id) };
        return found({ params, query: { gaps: 'any' } }, { subjects: [], next: null });
      },
    },
    validation: {
      ...invalidPaging(byCohort),
      'rejects an empty label prefix': async (world) =>
        invalid({ params: await byCohort(world), query: { label: '' } }, '?label'),
      'rejects an unknown value of gaps': async (world) =>
        invalid({ params: await byCohort(world), query: { gaps: 'none' } }, '?gaps'),
    },
    'missing reference': {
      ...missingParts(byCohort, { id: noSuchId }),
      'rejects an unknown state': async (world) =>
        invalid({ params: await byCohort(world), query: { state_id: noSuchId } }, '?state_id'),
    },
    conflict: readsOnly,
  },
};
