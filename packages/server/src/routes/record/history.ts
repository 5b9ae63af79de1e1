/** The history of an experiment (docs/decisions/0026). */
import type { historyOperations } from '@milepost/api';
import type { Handlers } from '../../http/call.ts';
import { getExperiment } from '../../store/experiments/experiments.ts';
import { listExperimentHistory } from '../../store/experiments/experiment-history.ts';
import { listAnswer } from '../lists.ts';

const defaultLimit = 100;

export const historyHandlers: Handlers<typeof historyOperations> = {
  async listExperimentHistory({ database, account, params, query }) {
    const { id } = await getExperiment(database.db, account.scope, params);
    const page = { ...query, limit: query.limit ?? defaultLimit };
    const list = await listExperimentHistory(database, id, page);
    return listAnswer('history', list, ({ actor_kind, actor_id, object_kind, object_id, ...entry }) => ({
      ...entry,
      actor: { kind: actor_kind, id: actor_id },
      object: { kind: object_kind, id: object_id },
    }));
  },
};
