/** The timeline of an experiment (docs/decisions/0023). */
import type { TimelineAction, TimelineExecution, timelineOperations } from '@milepost/api';
import type { Static } from 'typebox';
import { ok, type Handlers } from '../../http/call.ts';
import type { Links } from '../../links.ts';
import { getExperiment } from '../../store/experiments/experiments.ts';
import * as timeline from '../../store/experiments/timeline.ts';
import { groupBy } from '../group-by.ts';

const defaultLimit = 50;

export const timelineHandlers: Handlers<typeof timelineOperations> = {
  async getExperimentTimeline({ database: { db }, account, params, query, links }) {
    const { before = Number.MAX_SAFE_INTEGER, limit = defaultLimit } = query;
    const { id } = await getExperiment(db, account.scope, params);
    const found = await timeline.listTimeline(db, id, { before, limit: limit + 1 });
    const actions = found.slice(0, limit);
    const read = await timeline.readTimelineExecutions(
      db,
      actions.map((action) => action.id),
    );
    const executions = groupBy(read, (execution) => execution.action_id);
    const shown = actions.map((action) => ({
      ...showAction(links, action),
      executions: executions(action.id).map((execution) => showExecution(links, execution)),
    }));
    const next = () => (found.length > limit ? actions.at(-1)?.sequence : undefined);
    return { ...ok({ actions: shown }), next, nextBy: 'before' };
  },
};

const showAction = (links: Links, row: timeline.TimelineRow): Omit<Static<typeof TimelineAction>, 'executions'> => ({
  ...links.idAndUri('actions', row.id),
  web_uri: links.webUri('actions', row.id),
  sequence: row.sequence,
  kind: row.kind,
  from: links.ref('states', { id: row.from_id, label: row.from_label }),
  to: links.ref('states', { id: row.to_id, label: row.to_label }),
  start_time: row.start_time,
  end_time: row.end_time,
  success: row.success,
  freetext: row.freetext,
  return_value: row.return_value,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
});

const showExecution = (
  links: Links,
  { action_id: _action, ...row }: timeline.TimelineExecution,
): Static<typeof TimelineExecution> => ({
  ...links.idAndUri('callback_executions', row.id),
  web_uri: links.webUri('callback_executions', row.id),
  ...row,
});
