import type { incidentOperations } from '@milepost/api';
import { execution } from './callbacks.ts';
import { found, invalid, noSuchId, wrongPages } from './expectations.ts';
import { readsOnly, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

/** One that is closed and one that is open, of a new experiment. */
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
      'the open ones of an experiment': async (world) => {
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
      'all of an experiment, of one kind': async (world) => {
        const { closed, experiment, actionId, executionId } = await incidents(world);
        const of = { id: closed, action: { id: actionId }, execution: { id: executionId }, detail: 'it failed' };
        const query = { experiment_id: experiment.id, state: 'all', kind: 'failed' };
        return found({ query }, { incidents: [of] });
      },
    },
    validation: {
      ...wrongPages(),
      'a kind that nobody knows': () => invalid({ query: { kind: 'fire' } }, '?kind'),
      'a state that nobody knows': () => invalid({ query: { state: 'half' } }, '?state'),
    },
    'missing reference': {
      'an unknown experiment has none': () => found({ query: { experiment_id: noSuchId } }, { incidents: [] }),
    },
    conflict: readsOnly,
  },
};
