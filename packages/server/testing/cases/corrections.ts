import type { correctionOperations } from '@milepost/api';
import { found, invalid, missing, missingParts, noSuchId, taken, unknownParameter } from './expectations.ts';
import { none, readsOnly, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const byId = async (world: World) => ({ id: (await world.experiment()).id });
const byVariable = async (world: World) => ({ ...(await byId(world)), name: 'usable' });

export const correctionCases: SectionCases<typeof correctionOperations> = {
  getExperimentTransitions: {
    success: {
      'returns transitions with the reasons why they are not allowed': async (world) => {
        const transitions = [
          { destination_state: { label: 'checked' }, allowed: false, missing_permission: 'sample_state_update' },
          {
            destination_state: { label: 'rejected' },
            allowed: false,
            condition: "experiment.variables['unusable'] == true",
          },
        ];
        return found({ params: await byId(world) }, { state: { label: 'arrived' }, transitions, open_executions: [] });
      },
    },
    validation: unknownParameter(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
  updateExperiment: {
    success: {
      'moves an experiment to another subject and its cohort': async (world) => {
        const [{ id }, subject] = [await world.experiment(), await world.subject()];
        return {
          ...found(
            { params: { id }, body: { subject_id: subject.id, scandate: '2020-02-29 10:30' } },
            { subject: { id: subject.id } },
          ),
          stored: {
            query: 'select cohort_id, scandate::text as scandate from experiments where id = $1',
            values: [id],
            rows: [{ cohort_id: String(subject.cohort.id), scandate: '2020-02-29 10:30:00' }],
          },
        };
      },
    },
    validation: {
      'rejects a change of the state': async (world) =>
        invalid({ params: await byId(world), body: { state: { label: 'checked' } } }, '/state'),
      'rejects a label that is not text': async (world) =>
        invalid({ params: await byId(world), body: { label: 5 } }, '/label'),
    },
    'missing reference': {
      ...missingParts(byId, { id: noSuchId }, { label: 'other' }),
      'returns 404 for an unknown subject': async (world) =>
        missing({ params: await byId(world), body: { subject_id: noSuchId } }, '/subject_id'),
    },
    conflict: {
      'rejects the label of another experiment of the subject': async (world) => {
        const other = await world.experiment();
        return taken(
          { params: await byId(world), body: { label: other.label, subject_id: other.subjectId } },
          '/label',
        );
      },
    },
  },
  setExperimentVariable: {
    success: {
      'sets a new variable': async (world) =>
        found(
          { params: await byVariable(world), body: { value: { a: [1, null] }, reason: 'seen' } },
          { variable_map: { usable: { a: [1, null] } } },
        ),
    },
    validation: {
      'rejects a missing value': async (world) => invalid({ params: await byVariable(world), body: {} }, '/value'),
    },
    'missing reference': missingParts(byVariable, { id: noSuchId }, { value: 1 }),
    conflict: none('An existing value is replaced, so it cannot conflict.'),
  },
  placeExperiment: {
    success: {
      'sets the state without running callbacks': async (world) => {
        const { id } = await world.experiment();
        return {
          ...found(
            { params: { id }, body: { state: 'checked', reason: 'by mistake' } },
            { state: { label: 'checked' } },
          ),
          stored: {
            query: `select return_value, kind, (select count(*)::int from callback_executions where action_id = actions.id) as executions
              from actions join transitions on transitions.id = transition_id where experiment_id = $1 order by sequence desc limit 1`,
            values: [id],
            rows: [{ return_value: 'Corrected without callbacks', kind: 'correction', executions: 0 }],
          },
        };
      },
    },
    validation: {
      'rejects a missing reason': async (world) =>
        invalid({ params: await byId(world), body: { state: 'checked' } }, '/reason'),
    },
    'missing reference': {
      ...missingParts(byId, { id: noSuchId }, { state: 'checked', reason: 'x' }),
      'returns 404 for an unknown state': async (world) =>
        missing({ params: await byId(world), body: { state: 'unknown', reason: 'x' } }),
    },
    conflict: none('A second correction starts from the state that the first one set.'),
  },
};
