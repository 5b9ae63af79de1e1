/** The possible transitions of an experiment, and corrections by users. */
import type { correctionOperations } from '@milepost/api';
import { getReferencedSubject } from '../../engine/experiments/referenced-subject.ts';
import { placeExperiment } from '../../engine/experiments/place-experiment.ts';
import { withExperiment } from '../../engine/experiments/optimistic-lock.ts';
import { inTransaction } from '../../database/transaction.ts';
import type { Tx } from '../../database/connection.ts';
import { ok, type Handlers } from '../../http/call.ts';
import * as experiments from '../../store/experiments/experiments.ts';
import { differing, recordChange } from '../../store/record/record-change.ts';
import { rejectWithdrawn } from '../../store/study/withdrawals.ts';
import { engineContext, type EngineServices } from '../engine-context.ts';
import { showSavedExperiment } from './experiments.ts';
import { rejectChangedReference } from '../references/read-only-reference.ts';
import { readScandate } from './scandate.ts';
import { withValues } from '../../engine/experiments/read-values.ts';
import { showTransitions } from './state-change.ts';

type CorrectionCall = Parameters<Handlers<typeof correctionOperations>['updateExperiment']>[0];

export const correctionHandlers: Handlers<typeof correctionOperations, EngineServices> = {
  async getExperimentTransitions(call) {
    const context = engineContext(call);
    return withExperiment(context, call.params.id, async (read) => {
      const snapshot = await withValues(context, read, read.state);
      return snapshot && ok({ state: call.links.ref('states', read.state), ...showTransitions(call, snapshot) });
    });
  },

  async updateExperiment(call) {
    await inTransaction(call.database.db, (tx) => correct(tx, call));
    return showSavedExperiment(call, 200, call.params.id);
  },

  async setExperimentVariable(call) {
    const { value, reason = '' } = call.body;
    const { id, name } = call.params;
    await inTransaction(call.database.db, async (tx) => {
      const stored = await experiments.lockExperiment(tx, call.account.scope, id);
      call.requireVersion(stored.version);
      const before = await experiments.setVariable(tx, id, name, value);
      await experiments.raiseVersion(tx, id);
      const change = { objectKind: 'experiment', objectId: id, cohortId: stored.cohort_id, reason };
      await recordChange(tx, call.author, {
        ...change,
        before: { variables: before },
        after: { variables: { [name]: value } },
      });
    });
    return showSavedExperiment(call, 200, call.params.id);
  },

  async placeExperiment(call) {
    const { state: stateLabel, reason, run_callbacks: runCallbacks = false } = call.body;
    await placeExperiment(engineContext(call), { experimentId: call.params.id, stateLabel, reason, runCallbacks });
    return showSavedExperiment(call, 200, call.params.id);
  },
};

async function correct(tx: Tx, call: CorrectionCall): Promise<void> {
  const stored = await experiments.lockExperiment(tx, call.account.scope, call.params.id);
  call.requireVersion(stored.version);
  const { label, scandate, subject_id: subjectId } = call.body;
  const { links } = call;
  const subjectRef = links.ref('subjects', { id: stored.subject_id, label: stored.subject_label });
  const stateRef = links.ref('states', { id: stored.state_id, label: stored.state_label });
  rejectChangedReference(call.body.subject, subjectRef, { pointer: '/subject', use: 'subject_id' });
  rejectChangedReference(call.body.state, stateRef, {
    pointer: '/state',
    use: `PUT ${links.uri('experiments', stored.id)}/state`,
  });
  const subject =
    subjectId === undefined ? undefined : await getReferencedSubject(tx, call.account.scope, { id: subjectId });
  const changes = differing<experiments.ExperimentValues>(stored, {
    label,
    scandate: typeof scandate === 'string' ? readScandate(scandate) : scandate,
    subject_id: subject?.id,
    cohort_id: subject?.cohort_id,
  });
  if (!changes) return;
  if (changes.subject_id !== undefined) await rejectWithdrawn(tx, stored.subject_id, changes.subject_id);
  await experiments.updateExperiment(tx, stored, changes);
  const change = { objectKind: 'experiment', objectId: stored.id, cohortId: subject?.cohort_id ?? stored.cohort_id };
  await recordChange(tx, call.author, { ...change, before: stored, after: changes });
}
