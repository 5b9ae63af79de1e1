import type { experimentOperations } from '@milepost/api';
import {
  ambiguous,
  found,
  invalid,
  missing,
  missingParts,
  noSuchId,
  taken,
  unknownParameter,
  invalidPaging,
} from './expectations.ts';
import { readsOnly, refersToNothing, type Expectation, type SectionCases } from './matrix.ts';
import { externalValueCases } from './external-values.ts';
import type { World } from './world.ts';

const byId = async (world: World) => ({ id: (await world.experiment()).id });

const ids = externalValueCases({
  make: (world) => world.experiment(),
  name: 'experiment',
  field: 'external_ids',
  table: 'external_experiment_links',
  column: 'external_id',
});

/** A rejected change of state returns the current state and the code of the error. */
const rejectedMove = (request: Expectation['request'], status: number, code: string): Expectation => ({
  request,
  status,
  body: { success: false, state: { label: 'arrived' }, error: { status, code } },
});

export const experimentCases: SectionCases<typeof experimentOperations> = {
  createExperiment: {
    success: {
      'creates an experiment in the initial state of a workflow': async (world) => {
        const [label, subject, workflow] = [world.fresh('experiment'), await world.subject(), await world.workflow()];
        const body = { label, subject_id: subject.id, scandate: '2026-02-17', workflow_label: workflow.label };
        return {
          request: { body },
          status: 201,
          body: { label, scandate: '2026-02-17T00:00:00', state: { label: 'arrived' }, subject: { id: subject.id } },
          stored: {
            query: `select action_sequence, sequence, success, return_value, kind from experiments
              join actions on actions.experiment_id = experiments.id
              join transitions on transitions.id = actions.transition_id where experiments.label = $1`,
            values: [label],
            rows: [
              {
                action_sequence: '1',
                sequence: '1',
                success: true,
                return_value: 'No callback for state',
                kind: 'entry',
              },
            ],
          },
        };
      },
    },
    validation: {
      'rejects a missing label and a subject that is a string': () =>
        invalid({ body: { subject_id: '1' } }, '/label', '/subject_id'),
      'rejects a date that does not exist': async (world) =>
        invalid({ body: { label: 'e', subject_id: (await world.subject()).id, scandate: '2026-02-30' } }, '/scandate'),
    },
    'missing reference': {
      'returns 404 for an unknown subject': () =>
        missing({ body: { label: 'e', subject_id: noSuchId } }, '/subject_id'),
      'returns 404 for an unknown workflow': async (world) =>
        missing(
          { body: { label: 'e', subject_id: (await world.subject()).id, workflow_label: 'unknown' } },
          '/workflow_label',
        ),
    },
    conflict: {
      'rejects the label of another experiment of the subject': async (world) => {
        const { label, subjectId, workflow } = await world.experiment();
        return taken({ body: { label, subject_id: subjectId, workflow_label: workflow.label } }, '/label');
      },
    },
  },
  listExperiments: {
    success: {
      'returns the experiments of a subject': async (world) => {
        const { id, label, subjectId } = await world.experiment();
        const experiments = [{ id, label, uri: `/api/v2/experiments/${id}` }];
        return found({ query: { subject_id: subjectId } }, { experiments });
      },
      'returns the experiments in a state, given by its URI': async (world) => {
        const { id, workflow } = await world.experiment();
        return found({ query: { state: `/api/v2/states/${workflow.states['arrived']}` } }, { experiments: [{ id }] });
      },
    },
    validation: {
      ...invalidPaging(),
      'rejects an invalid scan date': () => invalid({ query: { scandate: 'yesterday' } }, '?scandate'),
    },
    'missing reference': refersToNothing,
    conflict: {
      'rejects a label that is the id of another state': async (world) => {
        const [one, other] = [await world.experiment(), await world.experiment()];
        const state = String(other.workflow.states['arrived']);
        await world.sql('update states set label = $2 where id = $1', [one.workflow.states['arrived'], state]);
        return ambiguous({ query: { state } }, '?state', '?state');
      },
    },
  },
  getExperiment: {
    success: {
      'returns an experiment': async (world) => {
        const { id, label, subjectId } = await world.experiment();
        return found(
          { params: { id } },
          { id, label, state: { label: 'arrived' }, subject: { id: subjectId }, variable_map: {} },
        );
      },
    },
    validation: unknownParameter(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
  addExperimentExternalIds: ids.add,
  getExperimentExternalIds: ids.get,
  setExperimentExternalId: ids.set,
  deleteExperimentExternalId: ids.remove,
  getExperimentState: {
    success: {
      'returns the state of an experiment': async (world) => {
        const { id, workflow } = await world.experiment();
        return found({ params: { id } }, { state: { id: workflow.states['arrived'], label: 'arrived' } });
      },
    },
    validation: unknownParameter(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
  setExperimentState: {
    success: {
      'moves an experiment and queues the callback of the new state': async (world) => {
        const { id } = await world.experiment();
        return {
          ...found(
            { params: { id }, body: { state_label: 'checked', freetext: 'now' } },
            { success: true, state: { label: 'checked' } },
          ),
          stored: {
            query: `select sequence, end_time, freetext, status, result from actions
              join callback_executions on callback_executions.action_id = actions.id where experiment_id = $1`,
            values: [id],
            rows: [{ sequence: '2', end_time: null, freetext: 'now', status: 'queued', result: 'none' }],
          },
        };
      },
    },
    validation: {
      'rejects a missing state': async (world) => invalid({ params: await byId(world), body: {} }, '/state_label'),
    },
    'missing reference': {
      ...missingParts(byId, { id: noSuchId }, { state_label: 'checked' }),
      'returns 404 for an unknown state': async (world) =>
        rejectedMove({ params: await byId(world), body: { state_label: 'unknown' } }, 404, 'state_not_found'),
    },
    conflict: {
      'rejects a move without a transition': async (world) =>
        rejectedMove({ params: await byId(world), body: { state_label: 'arrived' } }, 409, 'no_transition'),
      'rejects a move whose condition is not met': async (world) =>
        rejectedMove({ params: await byId(world), body: { state_label: 'rejected' } }, 409, 'condition_not_met'),
      'rejects a move if the experiment is not in the expected state': async (world) =>
        rejectedMove(
          { params: await byId(world), body: { state_label: 'checked', expected_state: 'rejected' } },
          409,
          'experiment_changed',
        ),
    },
  },
};
