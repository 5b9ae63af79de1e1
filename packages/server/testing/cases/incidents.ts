import type { incidentOperations } from '@milepost/api';
import { execution } from './callbacks.ts';
import { found, invalid, noSuchId, invalidPaging } from './expectations.ts';
import { readsOnly, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

/** A new experiment with a closed and an open incident. */
async function incidents(world: World) {
  const { id: executionId, actionId, experiment } = await execution(world);
  const rows = await world.sql<{ id: string }>(
    `insert into incidents (experiment_id, kind, action_id, execution_id, detail, closed_at) values
       ($1, 'failed', $2, $3, 'it failed', now() + interval '1 hour'), ($1, 'brake', null, null, '', null) returning id`,
    [experiment.id, actionId, executionId],
  );
  const [closed, open] = rows.map(({ id }) => Number(id));
  return { closed, open, executionId, actionId, experiment };
}

export const incidentCases: SectionCases<typeof incidentOperations> = {
  listIncidents: {
    success: {
      'returns the open incidents of an experiment': async (world) => {
        const { open, experiment } = await incidents(world);
        const body = [
          {
            id: open,
            kind: 'brake',
            experiment: { id: experiment.id },
            action: null,
            execution: null,
            closed_at: null,
          },
        ];
        return found({ query: { experiment_id: experiment.id } }, { incidents: body });
      },
      'returns closed incidents of one kind for the state `all`': async (world) => {
        const { closed, experiment, actionId, executionId } = await incidents(world);
        const of = { id: closed, action: { id: actionId }, execution: { id: executionId }, detail: 'it failed' };
        const query = { experiment_id: experiment.id, state: 'all', kind: 'failed' };
        return found({ query }, { incidents: [of] });
      },
    },
    validation: {
      ...invalidPaging(),
      'rejects an unknown kind': () => invalid({ query: { kind: 'fire' } }, '?kind'),
      'rejects an unknown state': () => invalid({ query: { state: 'half' } }, '?state'),
    },
    'missing reference': {
      'rejects an unknown experiment': () => invalid({ query: { experiment_id: noSuchId } }, '?experiment_id'),
    },
    conflict: readsOnly,
  },
};
