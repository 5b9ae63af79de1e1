import type { experimentOperations } from '@milepost/api';
import {
  found,
  invalid,
  missing,
  missingParts,
  noSuchId,
  taken,
  unknownParameter,
  wrongPages,
} from './expectations.ts';
import { readsOnly, refersToNothing, type Expectation, type SectionCases } from './matrix.ts';
import { systemTextCases } from './system-texts.ts';
import type { World } from './world.ts';

const byId = async (world: World) => ({ id: (await world.experiment()).id });

const ids = systemTextCases({
  make: (world) => world.experiment(),
  name: 'experiment',
  field: 'external_ids',
  table: 'external_experiment_links',
  column: 'external_id',
});

/** A refused change of state shows the state it stayed in, and the code inside. */
const refusedIn = (request: Expectation['request'], status: number, code: string): Expectation => ({
  request,
  status,
  body: { success: false, state: { label: 'arrived' }, error: { status, code } },
});

export const experimentCases: SectionCases<typeof experimentOperations> = {
  createExperiment: {
    success: {
      'label, subject, scandate and workflow': async (world) => {
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
      'no label and a subject that is text': () => invalid({ body: { subject_id: '1' } }, '/label', '/subject_id'),
      'a day that no calendar has': async (world) =>
        invalid({ body: { label: 'e', subject_id: (await world.subject()).id, scandate: '2026-02-30' } }, '/scandate'),
    },
    'missing reference': {
      'an unknown subject': () => missing({ body: { label: 'e', subject_id: noSuchId } }, '/subject_id'),
      'an unknown workflow': async (world) =>
        missing(
          { body: { label: 'e', subject_id: (await world.subject()).id, workflow_label: 'nobody' } },
          '/workflow_label',
        ),
    },
    conflict: {
      'a label that the subject has': async (world) => {
        const { label, subjectId, workflow } = await world.experiment();
        return taken({ body: { label, subject_id: subjectId, workflow_label: workflow.label } }, '/label');
      },
    },
  },
  listExperiments: {
    success: {
      'those of a subject by its id': async (world) => {
        const { id, label, subjectId } = await world.experiment();
        const experiments = [{ id, label, uri: `/api/v2/experiments/${id}` }];
        return found({ query: { subject_id: subjectId } }, { experiments });
      },
      'those in a state by its uri': async (world) => {
        const { id, workflow } = await world.experiment();
        return found({ query: { state: `/api/v2/states/${workflow.states['arrived']}` } }, { experiments: [{ id }] });
      },
    },
    validation: {
      ...wrongPages(),
      'a scandate that is none': () => invalid({ query: { scandate: 'yesterday' } }, '?scandate', '?scandate'),
    },
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getExperiment: {
    success: {
      'an existing id': async (world) => {
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
      'an existing id': async (world) => {
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
      'to a state with a callback': async (world) => {
        const { id } = await world.experiment();
        return {
          ...found(
            { params: { id }, body: { state_label: 'checked', freetext: 'now' } },
            { success: true, error: null, state: { label: 'checked' } },
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
      'no state': async (world) => invalid({ params: await byId(world), body: {} }, '/state_label'),
    },
    'missing reference': {
      ...missingParts(byId, { id: noSuchId }, { state_label: 'checked' }),
      'an unknown state': async (world) =>
        refusedIn({ params: await byId(world), body: { state_label: 'nobody' } }, 404, 'state_not_found'),
    },
    conflict: {
      'no transition': async (world) =>
        refusedIn({ params: await byId(world), body: { state_label: 'arrived' } }, 409, 'no_transition'),
      'a condition that does not hold': async (world) =>
        refusedIn({ params: await byId(world), body: { state_label: 'rejected' } }, 409, 'condition_not_met'),
      'not in the expected state': async (world) =>
        refusedIn(
          { params: await byId(world), body: { state_label: 'checked', expected_state: 'rejected' } },
          409,
          'experiment_changed',
        ),
    },
  },
};
