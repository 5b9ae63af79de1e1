/**
 * Opens and closes the incidents of queues (rule 16). Every worker does this, one at a time, and repeating it is harmless.
 */
import { allowLongStatements, type Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import * as incidents from '../../store/runs/queue-incidents.ts';
import { addUpStarts, lockQueueProgress, noteOldest } from '../../store/runs/queue-progress.ts';
import type { EngineContext } from '../experiments/optimistic-lock.ts';

export const watchQueues = ({ db }: Pick<EngineContext, 'db'>): Promise<void> =>
  inTransaction(db, async (tx) => {
    if (!(await lockQueueProgress(tx))) return;
    await allowLongStatements(tx);
    while (await addUpStarts(tx));
    await noteOldest(tx);
    await updateIncidents(tx);
  });

async function updateIncidents(tx: Tx): Promise<void> {
  await incidents.closeUnclaimedExperiments(tx);
  await incidents.closeQueueIncidents(tx);
  const opened = await incidents.openQueueIncidents(tx);
  await incidents.countWaitingExperiments(tx, await incidents.listUncounted(tx));
  if (opened.length > 0) await incidents.announceQueueIncidents(tx, opened);
}
