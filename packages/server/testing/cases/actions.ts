import type { actionOperations } from '@milepost/api';
import { found, invalid, missingParts, noSuchId, unknownParameter, invalidPaging } from './expectations.ts';
import { none, readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

/** The first action of a new experiment. */
async function action(world: World) {
  const experiment = await world.experiment();
  const [row] = await world.sql<{ id: string; transition_id: string }>(
    'select id, transition_id from actions where experiment_id = $1',
    [experiment.id],
  );
  return { id: Number(row?.id), transitionId: Number(row?.transition_id), experiment };
}

const byId = async (world: World) => ({ id: (await action(world)).id });
const byExperiment = async (world: World) => ({ id: (await world.experiment()).id });
const summary = (id: number) => ({
  id,
  return_value: 'No callback for state',
  success: true,
  uri: `/api/v2/actions/${id}`,
});

export const actionCases: SectionCases<typeof actionOperations> = {
  listActions: {
    success: {
      'returns a page with one action': async (world) => {
        const { id } = await action(world);
        return found({ query: { after: id - 1, limit: 1 } }, { actions: [summary(id)] });
      },
    },
    validation: invalidPaging(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getAction: {
    success: {
      'returns the action of a creation': async (world) => {
        const { id, transitionId, experiment } = await action(world);
        const body = {
          id,
          api_uri: `https://milepost.example.org/api/v2/actions/${id}`,
          experiment: { id: experiment.id, label: experiment.label },
          transition: { id: transitionId, uri: `/api/v2/transitions/${transitionId}` },
          executions: [],
          retry_of: null,
        };
        return found({ params: { id } }, body);
      },
      'returns the action of a retry with the retried action': async (world) => {
        const { id } = await action(world);
        const [row] = await world.sql<{ id: string }>(
          `insert into actions (experiment_id, sequence, transition_id, retry_of, actor_kind)
           select experiment_id, 2, transition_id, id, 'engine' from actions where id = $1 returning id`,
          [id],
        );
        const retry_of = { id, uri: `/api/v2/actions/${id}` };
        return found({ params: { id: Number(row?.id) } }, { retry_of });
      },
    },
    validation: unknownParameter(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
  updateAction: {
    success: {
      'changes the outcome but not the state': async (world) => {
        const { id, experiment } = await action(world);
        return {
          ...found(
            { params: { id }, body: { success: false, return_value: 'repeated' } },
            { success: false, return_value: 'repeated' },
          ),
          stored: {
            query: 'select state_id, version from experiments where id = $1',
            values: [experiment.id],
            rows: [{ state_id: String(experiment.workflow.states['arrived']), version: '2' }],
          },
        };
      },
    },
    validation: {
      'rejects an end before the start': async (world) =>
        invalid({ params: await byId(world), body: { end_time: '2001-01-01T00:00:00Z' } }, '/end_time'),
      'rejects an end without a time': async (world) =>
        invalid({ params: await byId(world), body: { end_time: '2040-01-01' } }, '/end_time'),
    },
    'missing reference': missingParts(byId, { id: noSuchId }, { success: true }),
    conflict: none('The new values replace the old ones, so they cannot conflict.'),
  },
  listExperimentActions: {
    success: {
      'returns the actions of an experiment': async (world) => {
        const { id, experiment } = await action(world);
        return found({ params: { id: experiment.id } }, { actions: [summary(id)] });
      },
    },
    validation: invalidPaging(byExperiment),
    'missing reference': missingParts(byExperiment, { id: noSuchId }),
    conflict: readsOnly,
  },
};
