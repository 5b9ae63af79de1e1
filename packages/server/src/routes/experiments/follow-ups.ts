/** Assignments and snoozes of experiments. */
import type { FollowUp, followUpOperations } from '@milepost/api';
import type { Static } from 'typebox';
import type { Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { invalid } from '../../errors.ts';
import { ok, type Call, type Handlers } from '../../http/call.ts';
import { lockExperiment, type ExperimentRow } from '../../store/experiments/experiments.ts';
import * as followUps from '../../store/experiments/follow-ups.ts';
import { recordChange } from '../../store/record/record-change.ts';
import { getCohort } from '../../store/study/cohorts.ts';

type FollowUpCall = Pick<Call, 'database' | 'account' | 'author' | 'links'> & { params: { id: number } };
type Save = (tx: Tx, experiment: ExperimentRow) => Promise<void>;

export const followUpHandlers: Handlers<typeof followUpOperations> = {
  assignExperiment: (call) =>
    changeFollowUp(call, async (tx, { id: experiment_id, cohort_id }) => {
      const { user_id: assignee_id } = call.body;
      if (assignee_id !== null) await requireAssignable(tx, cohort_id, assignee_id);
      await followUps.saveAssignee(tx, [{ experiment_id, cohort_id }], assignee_id);
    }),

  snoozeExperiment: (call) =>
    changeFollowUp(call, async (tx, { id: experiment_id, cohort_id }) => {
      const { until, note = '' } = call.body;
      const snooze = until === null ? null : { snoozed_until: until, snoozed_by: call.account.id, snooze_note: note };
      await followUps.saveSnooze(tx, { experiment_id, cohort_id }, snooze);
      if (snooze && (await read(tx, call)).snooze === null) throw timeHasPassed();
    }),

  async getAssignees({ database: { db }, account, params, query }) {
    const { id } = await getCohort(db, account.scope, params);
    return ok({ users: await followUps.listAssignees(db, id, query.q ?? '') });
  },
};

/** Locks the experiment, so that its history has one writer, and records what differs. A repeated request records nothing. */
async function changeFollowUp(call: FollowUpCall, save: Save) {
  const { database, account, author, links, params } = call;
  return inTransaction(database.db, async (tx) => {
    const experiment = await lockExperiment(tx, account.scope, params.id);
    const before = await read(tx, call);
    await save(tx, experiment);
    const after = await read(tx, call);
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      const change = { objectKind: 'experiment' as const, objectId: experiment.id, cohortId: experiment.cohort_id };
      await recordChange(tx, author, { ...change, before: recorded(before), after: recorded(after) });
    }
    return ok<Static<typeof FollowUp>>({ experiment: links.ref('experiments', experiment), ...after });
  });
}

const read = async (tx: Tx, { account, params }: FollowUpCall): Promise<followUps.FollowUp> =>
  (await followUps.readFollowUps(tx, account.scope, [params.id])).get(params.id) ?? followUps.noFollowUp;

/** Names of users are not repeated in the history. */
const recorded = ({ assignee, snooze }: followUps.FollowUp) => ({
  assignee_id: assignee?.id ?? null,
  snoozed_until: snooze?.until ?? null,
  snooze_note: snooze?.note ?? null,
});

async function requireAssignable(tx: Tx, cohortId: number, userId: number): Promise<void> {
  if (await followUps.canBeAssigned(tx, cohortId, userId)) return;
  throw invalid({
    pointer: '/user_id',
    detail: `No active user with id ${userId} can read this cohort. Choose one of GET /cohorts/${cohortId}/assignees.`,
  });
}

const timeHasPassed = () => invalid({ pointer: '/until', detail: 'This time has passed. Choose a later one.' });
