/** Cases of the attention list, its groups and decisions. */
import type { attentionGroupOperations, attentionOperations, decisionOperations } from '@milepost/api';
import { execution } from './callbacks.ts';
import { found, invalid, missingParts, noSuchId, unknownParameter, invalidPaging } from './expectations.ts';
import { none, readsOnly, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const byExperiment = async (world: World) => ({ id: (await world.experiment()).id });

/** An experiment with a failed execution and its incident. */
export async function failed(world: World) {
  const { id: executionId, experiment } = await execution(world);
  await world.sql(
    `update callback_executions set status = 'finished', result = 'failed', finished = clock_timestamp(), attempt = 5,
       last_error = E'no space left on /scratch\nat line 3' where id = $1`,
    [executionId],
  );
  const [row] = await world.sql<{ id: string }>(
    `insert into incidents (experiment_id, kind, execution_id, detail) values ($1, 'failed', $2, 'check did not succeed.') returning id`,
    [experiment.id, executionId],
  );
  return { executionId, experiment, incidentId: Number(row?.id) };
}

export const attentionCases: SectionCases<typeof attentionOperations> = {
  listAttention: {
    success: {
      'returns a failed callback with its reason': async (world) => {
        const { executionId, experiment, incidentId } = await failed(world);
        const item = {
          kind: 'failed',
          experiment: { id: experiment.id },
          what: 'check: no space left on /scratch',
          execution_id: executionId,
          incident_id: incidentId,
          attempt: 5,
        };
        const cohort = await cohortOf(world, experiment.id);
        const counts = { decide: 0, failed: 1, timed_out: 0, waiting: 0, blocked: 0, retrying: 0, experiments: 1 };
        return found({ query: { cohort_id: cohort } }, { items: [item], counts });
      },
    },
    validation: {
      ...invalidPaging(),
      'rejects an assignee that is neither a word nor an id': () =>
        invalid({ query: { assignee: 'all' } }, '?assignee'),
      'rejects an unknown kind': () => invalid({ query: { kind: 'fire' } }, '?kind'),
      'rejects a cause group in another form': () => invalid({ query: { cause_group: 'fire' } }, '?cause_group'),
      'rejects hours that are not a number': () => invalid({ query: { waiting_hours: 'long' } }, '?waiting_hours'),
    },
    'missing reference': {
      'rejects an unknown cohort': () => invalid({ query: { cohort_id: noSuchId } }, '?cohort_id'),
      'rejects an unknown state': () => invalid({ query: { state_id: noSuchId } }, '?state_id'),
    },
    conflict: readsOnly,
  },
  visitAttention: {
    success: { 'notes a visit': () => ({ ...found({}, {}), recorded: { history: [], events: [] } }) },
    validation: unknownParameter(async () => ({})),
    'missing reference': none('It names no object.'),
    conflict: none('The time of the latest request counts.'),
  },
};

export const attentionGroupCases: SectionCases<typeof attentionGroupOperations> = {
  getAttentionGroups: {
    success: {
      'returns the groups of all cohorts': () => found({}, { more: false }),
      'returns a cause with its callback and an example': async (world) => {
        const { experiment, incidentId } = await failed(world);
        const group = '7-0123456789abcdef';
        await world.sql('update incidents set cause_group = $2 where id = $1', [incidentId, group]);
        const cohort = await cohortOf(world, experiment.id);
        const shown = {
          cause_group: group,
          callback: 'check',
          title: 'no space left on /scratch',
          experiments: 1,
          cohorts: 1,
        };
        const example = { incident_id: incidentId, experiment: { id: experiment.id } };
        return found({ query: { cohort_id: cohort } }, { groups: [{ ...shown, example }], more: false });
      },
    },
    validation: unknownParameter(async () => ({})),
    'missing reference': {
      'rejects an unknown cohort': () => invalid({ query: { cohort_id: noSuchId } }, '?cohort_id'),
    },
    conflict: readsOnly,
  },
};

export async function cohortOf(world: World, experimentId: number): Promise<number> {
  const [row] = await world.sql<{ cohort_id: string }>('select cohort_id from experiments where id = $1', [
    experimentId,
  ]);
  return Number(row?.cohort_id);
}

export const decisionCases: SectionCases<typeof decisionOperations> = {
  getExperimentDecision: {
    success: {
      'returns the state of an experiment that does not wait for a decision': async (world) => {
        const { experiment } = await failed(world);
        const { id, workflow } = experiment;
        const state = { id: workflow.states['checked'], label: 'checked' };
        return found({ params: { id } }, { state, title: 'checked', decision: null, waiting: false, position: null });
      },
    },
    validation: unknownParameter(byExperiment),
    'missing reference': missingParts(byExperiment, { id: noSuchId }),
    conflict: readsOnly,
  },
};
