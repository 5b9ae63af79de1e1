/** The decision about an experiment, with the previous and next one. */
import type { decisionOperations } from '@milepost/api';
import { ok, type Handlers } from '../../http/call.ts';
import { getExperiment } from '../../store/experiments/experiments.ts';
import { readDecisionItems } from '../../store/screens/decision-items.ts';
import { findDecisionPlace } from '../../store/screens/decisions.ts';
import { listRestingStates, maxResting } from '../../store/screens/resting-states.ts';
import { getState } from '../../store/workflows/workflows.ts';
import { showLook } from '../workflows/workflows.ts';
import { experimentFilter } from './attention.ts';

export const decisionHandlers: Handlers<typeof decisionOperations> = {
  async getExperimentDecision(call) {
    const {
      database: { db },
      account: { scope },
      params,
      links,
    } = call;
    const { state_id: stateId } = await getExperiment(db, scope, params);
    const state = await getState(db, { id: stateId });
    const filter = experimentFilter(call.account, call.query);
    const states = (await listRestingStates(db, scope, filter)).filter(({ kind }) => kind === 'decide');
    const { position, previous, next } = await findDecisionPlace(db, scope, { ...filter, states }, params.id);
    const item = (await readDecisionItems(db, [params.id])).get(params.id);
    return ok({
      state: links.ref('states', state),
      freetext: state.freetext,
      ...showLook(state),
      waiting: item !== undefined,
      since: item?.since ?? null,
      due_at: item?.due_at ?? null,
      overdue: item?.overdue ?? false,
      position: item ? position : null,
      total: Math.min(
        maxResting,
        states.reduce((sum, { experiments }) => sum + experiments, 0),
      ),
      previous: previous && links.ref('experiments', previous),
      next: next && links.ref('experiments', next),
    });
  },
};
