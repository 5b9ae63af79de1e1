import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { operationQuery, type BodyOf } from '../../api/operation-query.ts';
import { concernsShown } from '../../live/live-event.ts';
import type { TimelineAction } from '../../status/execution-text.ts';

export type Action = BodyOf<'getAction'>;

export const useAction = (id: number) =>
  useQuery(
    operationQuery('getAction', { params: { id } }, (event, shown) =>
      concernsShown(event, shown as Action | undefined),
    ),
  );

const pageSize = 200;

/** Searches from the newest action. The first page has it unless the experiment has moved very often since. */
async function findInTimeline(id: number, actionId: number, signal: AbortSignal): Promise<TimelineAction | null> {
  for (let before: number | undefined; ;) {
    const query = { limit: pageSize, ...(before === undefined ? {} : { before }) };
    const { actions } = await client.getExperimentTimeline({ params: { id }, query, signal });
    const found = actions.find((action) => action.id === actionId);
    const last = actions.at(-1)?.sequence ?? 1;
    if (found || last <= 1) return found ?? null;
    before = last;
  }
}

/** The action in the timeline of its experiment, which has its actor, states and runs. */
export const useTimelineAction = (action: Action | undefined) => {
  const experimentId = action?.experiment.id ?? 0;
  const actionId = action?.id ?? 0;
  return useQuery({
    queryKey: ['getExperimentTimeline', { experiment: experimentId, action: actionId }],
    queryFn: ({ signal }) => findInTimeline(experimentId, actionId, signal),
    enabled: action !== undefined,
    meta: { touchedBy: ({ experiment_id }) => experiment_id === experimentId },
  });
};
