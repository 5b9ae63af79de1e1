/** Withdrawal and erasure of subjects (docs/decisions/0027). */
import type { Erasure, erasureOperations } from '@milepost/api';
import type { Static } from 'typebox';
import type { Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { rejectFutureDate, withdrawSubject } from '../../engine/study/withdraw-subject.ts';
import { invalid, Problem } from '../../errors.ts';
import { created, ok, type Handlers } from '../../http/call.ts';
import { lockUnendedImports } from '../../store/spreadsheets/imports.ts';
import * as erasures from '../../store/study/erasures.ts';
import * as withdrawals from '../../store/study/read-withdrawal.ts';
import { recordChange } from '../../store/record/record-change.ts';
import { getSubject, lockAnySubject, lockSubject } from '../../store/study/subjects.ts';
import { showChangedSubject } from './subjects.ts';

type Calls = Handlers<typeof erasureOperations>;
type RequestCall = Parameters<Calls['requestErasure']>[0];
type ConfirmCall = Parameters<Calls['eraseSubject']>[0];

export const erasureHandlers: Calls = {
  async withdrawSubject(call) {
    const { scope } = call.account;
    rejectFutureDate(call.body.date, Date.now());
    const subject = await inTransaction(call.database.db, async (tx) => {
      const stored = await lockSubject(tx, scope, call.params.id);
      call.requireVersion(stored.version);
      if (stored.withdrawn_at !== null) return stored;
      await withdrawSubject(tx, call.author, stored, call.body);
      return getSubject(tx, scope, { id: stored.id });
    });
    return showChangedSubject(call, 200, subject);
  },

  async getWithdrawal({ database: { db }, account, links, params }) {
    const { id, withdrawn_at: date } = await getSubject(db, account.scope, params);
    const found = date === null ? undefined : await withdrawals.findWithdrawal(db, id);
    const runs = await withdrawals.listEndingRuns(db, id);
    return ok({
      subject_id: id,
      withdrawn: date === null ? null : showWithdrawn(date, found),
      moving: await withdrawals.countMoving(db, id),
      open_runs: runs[0]?.count ?? 0,
      runs: runs.map((run) => ({
        id: run.id,
        uri: links.uri('callback_executions', run.id),
        callback: run.callback,
        status: run.status,
        experiment: links.ref('experiments', { id: run.experiment_id, label: run.experiment_label }),
      })),
    });
  },

  async requestErasure(call) {
    const { scope } = call.account;
    return inTransaction(call.database.db, async (tx) => {
      const isNew = await request(tx, call);
      const body = showErasure(await erasures.getErasure(tx, scope, call.params.id));
      return isNew ? created(body) : ok(body);
    });
  },

  async eraseSubject(call) {
    const { scope } = call.account;
    return inTransaction(call.database.db, async (tx) => {
      await confirm(tx, call);
      return ok(showErasure(await erasures.getErasure(tx, scope, call.params.id)));
    });
  },

  async getErasure({ database, account, params }) {
    const { id } = await getSubject(database.db, account.scope, params);
    return ok(showErasure(await erasures.getErasure(database.db, account.scope, id)));
  },
};

/** Returns whether the request is new. */
async function request(tx: Tx, { account, author, params, body }: RequestCall): Promise<boolean> {
  const subject = await lockSubject(tx, account.scope, params.id);
  if (subject.withdrawn_at === null) {
    throw new Problem('subject_not_withdrawn', 'The subject has not withdrawn. Withdraw it first.');
  }
  const requested = await erasures.findErasure(tx, account.scope, subject.id);
  if (requested?.open) return false;
  const id = await erasures.insertErasureRequest(tx, subject.id, account.id);
  const change = { objectKind: 'subject', objectId: subject.id, cohortId: subject.cohort_id };
  await recordChange(tx, author, { ...change, before: null, after: { erasure_id: id }, reason: body.reason });
  return true;
}

/** Locks the subject, so that a concurrent confirmation finds the erasure done. */
async function confirm(tx: Tx, { account, author, params, body }: ConfirmCall): Promise<void> {
  await lockUnendedImports(tx);
  const subject = await lockAnySubject(tx, account.scope, params.id);
  const requested = await erasures.findErasure(tx, account.scope, subject.id);
  if (requested?.id === body.erasure_id && requested.erased_at !== null) return;
  if (requested?.id !== body.erasure_id || !requested.open) {
    throw new Problem(
      'erasure_not_requested',
      'This erasure was not requested within the last 24 hours. Request it again and confirm the new request.',
    );
  }
  if (subject.label !== body.label) {
    throw invalid({ pointer: '/label', detail: '/label is not the label of this subject. Nothing was erased.' });
  }
  const { requestId } = author;
  await erasures.eraseSubject(tx, { erasureId: requested.id, label: body.label, userId: account.id, requestId });
}

const showWithdrawn = (date: string, found: withdrawals.WithdrawalRow | undefined) => ({
  date,
  recorded_at: found?.at ?? null,
  by: person(found?.by_id ?? null, found?.by_name ?? null),
  reason: found?.reason ?? null,
});

const person = (id: number | null, name: string | null) => (id === null ? null : { id, name: name ?? '' });

const showErasure = (row: erasures.ErasureRow): Static<typeof Erasure> => ({
  id: row.id,
  subject_id: row.subject_id,
  requested_by: { id: row.requested_by, name: row.requested_by_name },
  requested_at: row.requested_at,
  confirm_until: row.confirm_until,
  erased_by: person(row.erased_by, row.erased_by_name),
  erased_at: row.erased_at,
  destroyed: row.destroyed ?? {},
  entry:
    row.history_id === null
      ? null
      : {
          id: row.history_id,
          chain: 'subject',
          chain_id: row.subject_id,
          sequence: row.sequence ?? 0,
          hash: row.hash ?? '',
        },
});
