/** Assignments and notes. They do not depend on the state of an experiment, and do not change its version. */
import type { Tx } from '../../database/connection.ts';
import { lockUnchanged } from '../../store/experiments/experiments.ts';
import { canBeAssigned, readAssigneeIds, saveAssignee } from '../../store/experiments/follow-ups.ts';
import { insertNotes } from '../../store/experiments/notes.ts';
import { recordChanges } from '../../store/record/record-change.ts';
import type { PlannedChange } from '../experiments/optimistic-lock.ts';
import type { BulkRule, Plan } from './bulk-rule.ts';

const nothing = { change: { records: [] } } satisfies Plan;

const lockPlanned = (tx: Tx, planned: readonly PlannedChange[]) =>
  lockUnchanged(
    tx,
    planned.map(({ snapshot: { inputs } }) => ({ id: inputs.id, version: inputs.version })),
  );

export const assignRule: BulkRule = {
  operation: 'assignExperiment',
  ignoresChanges: true,
  plan: async ({ db }, snapshots, { change: { user_id: userId = null } }) => {
    const cohorts = new Map<number, boolean>();
    for (const { inputs } of snapshots) {
      if (cohorts.has(inputs.cohort_id)) continue;
      cohorts.set(inputs.cohort_id, userId === null || (await canBeAssigned(db, inputs.cohort_id, userId)));
    }
    const planOf = (cohortId: number): Plan => (cohorts.get(cohortId) ? nothing : { refused: cannotRead });
    return new Map(snapshots.map(({ inputs }) => [inputs.id, planOf(inputs.cohort_id)]));
  },
  write: async (
    { db: tx, author },
    planned,
    { id: bulk_operation_id, change: { user_id: assignee_id = null }, reason },
  ) => {
    const locked = await lockPlanned(tx, planned);
    const ids = locked.map(({ id }) => id);
    const before = await readAssigneeIds(tx, ids);
    const changed = locked.filter(({ id }) => (before.get(id) ?? null) !== assignee_id);
    if (changed.length > 0) {
      const of = changed.map(({ id: experiment_id, cohort_id }) => ({ experiment_id, cohort_id }));
      await saveAssignee(tx, of, assignee_id);
    }
    await recordChanges(
      tx,
      author,
      changed.map(({ id, cohort_id: cohortId }) => ({
        objectKind: 'experiment',
        objectId: id,
        cohortId,
        before: { assignee_id: before.get(id) ?? null },
        after: { assignee_id, bulk_operation_id },
        data: { bulk_operation_id },
        reason,
      })),
    );
    return new Set(ids);
  },
};

const cannotRead = { code: 'not_allowed', detail: 'The user is not active or cannot read the cohort.' };

export const noteRule: BulkRule = {
  operation: 'addNote',
  ignoresChanges: true,
  plan: async (_context, snapshots) => new Map(snapshots.map(({ inputs }) => [inputs.id, nothing])),
  write: async ({ db: tx, author }, planned, { id: bulk_operation_id, change: { text = '' }, reason }) => {
    const locked = await lockPlanned(tx, planned);
    if (locked.length === 0) return new Set();
    const notes = await insertNotes(
      tx,
      locked.map(({ id: experiment_id, cohort_id }) => ({ experiment_id, cohort_id, user_id: author.id ?? 0, text })),
    );
    const cohorts = new Map(locked.map(({ id, cohort_id: cohortId }) => [id, { cohortId }]));
    await recordChanges(
      tx,
      author,
      notes.map(({ id, experiment_id }) => ({
        objectKind: 'note',
        objectId: id,
        ...cohorts.get(experiment_id),
        before: null,
        after: { experiment_id, text, bulk_operation_id },
        data: { experiment_id, bulk_operation_id },
        reason,
      })),
    );
    return new Set(locked.map(({ id }) => id));
  },
};
