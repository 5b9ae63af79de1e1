/** The audit log (docs/decisions/0028). */
import { shortened, type AuditEntry, type auditOperations } from '@milepost/api';
import type { Static } from 'typebox';
import { exportLines } from '../../chain/export-lines.ts';
import { inTransaction } from '../../database/transaction.ts';
import { invalid, Problem } from '../../errors.ts';
import { ok, type Call, type Handlers } from '../../http/call.ts';
import { Lines } from '../../http/lines-download.ts';
import type { Links } from '../../links.ts';
import { isNamedKind } from '../../store/named-objects.ts';
import { listAuditIds } from '../../store/record/audit.ts';
import type { AuditedKind, AuditFilter } from '../../store/record/audit-conditions.ts';
import { countAuditDays } from '../../store/record/audit-days.ts';
import { readAuditEntries, type AuditRow } from '../../store/record/audit-entries.ts';
import { readAuditNames } from '../../store/record/audit-names.ts';
import { readChains } from '../../store/record/chained-history.ts';
import { readSigningStatus, listCheckpoints, readCheckpoints } from '../../store/record/checkpoints.ts';
import { recordChange } from '../../store/record/record-change.ts';
import { findFinished, findVerification, insertVerification } from '../../store/record/verifications.ts';
import { requireChangeName, requireNamedObjects } from '../named-filters.ts';

const defaultLimit = 100;
const scanLimit = 10_000;

export const auditHandlers: Handlers<typeof auditOperations> = {
  async listAudit(call) {
    const {
      database: { db },
      account,
      query,
      links,
    } = call;
    const { before = Number.MAX_SAFE_INTEGER, limit = defaultLimit, time_zone: timeZone, ...filter } = query;
    if (timeZone !== undefined) rejectUnknownTimeZone(timeZone);
    if (filter.object_id !== undefined && filter.object_kind === undefined) {
      throw invalid({
        pointer: '?object_id',
        detail: '?object_id requires ?object_kind, because ids are unique only per kind.',
      });
    }
    await requireKnown(call, filter);
    const { ids, next } = await listAuditIds(db, account.scope, filter, { before, limit, scanLimit });
    const rows = await readAuditEntries(db, ids);
    const entries = rows.map((row) => showEntry(links, row));
    const names = await readAuditNames(db, account.scope, rows);
    const countsDays = timeZone !== undefined && account.scope.kind === 'all';
    const days = countsDays ? await countAuditDays(db, filter, { ids, timeZone }) : [];
    return { ...ok({ entries, names, days, next: next() ?? null }), next, nextBy: 'before' };
  },

  async listCheckpoints({ database: { db }, query }) {
    const { before = Number.MAX_SAFE_INTEGER, limit = defaultLimit } = query;
    const found = await listCheckpoints(db, { before, limit: limit + 1 });
    const checkpoints = found.slice(0, limit);
    const next = () => (found.length > limit && limit > 0 ? checkpoints.at(-1)?.number : undefined);
    const verification = await findVerification(db);
    const lastResult =
      verification === undefined || verification.status === 'finished' ? verification : await findFinished(db);
    return {
      ...ok({
        checkpoints,
        unsigned_since: (await readSigningStatus(db)).unsignedSince,
        verification: verification ?? null,
        last_result: lastResult ?? null,
      }),
      next,
      nextBy: 'before',
    };
  },

  async verifyHistory({ database: { db }, author, account }) {
    const found = await inTransaction(db, async (tx) => {
      const isNew = await insertVerification(tx, account.id);
      const verification = await findVerification(tx);
      if (!verification) throw new Error('The verification was not inserted.');
      if (isNew) {
        const after = { verification_id: verification.id };
        await recordChange(tx, author, { objectKind: 'user', objectId: account.id, before: null, after });
      }
      return verification;
    });
    return ok(found);
  },

  /** Reads page by page, because a snapshot that is open for hours would prevent vacuuming. */
  async exportAudit({ database, account }) {
    if (account.scope.kind !== 'all') {
      throw new Problem(
        'not_allowed',
        'The export contains the whole history, but you do not have access to all cohorts.',
      );
    }
    const lines = database.streams.read((db) => exportLines(readCheckpoints(db), readChains(db)));
    return ok(new Lines('history.ndjson', 'application/x-ndjson', lines));
  },
};

function rejectUnknownTimeZone(timeZone: string): void {
  try {
    // An offset such as +01:00 means the opposite in PostgreSQL.
    if (!/^[a-z]/i.test(timeZone)) throw new RangeError();
    Intl.DateTimeFormat('en', { timeZone }).format();
  } catch {
    throw invalid({
      pointer: '?time_zone',
      detail: `No time zone "${shortened(timeZone)}". Use a name such as "Europe/Amsterdam".`,
    });
  }
}

/** Scans and notes can be erased, but their entries stay, so `object_id` can name one that no longer exists. */
async function requireKnown(call: Pick<Call, 'database' | 'account'>, filter: AuditFilter): Promise<void> {
  const { actor, object_kind: kind = '', object_id: id, operation } = filter;
  requireChangeName('operation', operation);
  await requireNamedObjects(call, {
    actor: { kind: 'user', id: actor },
    ...(isNamedKind(kind) && { object_id: { kind, id } }),
    experiment_id: { kind: 'experiment', id: filter.experiment_id },
    subject_id: { kind: 'subject', id: filter.subject_id },
    cohort_id: { kind: 'cohort', id: filter.cohort_id },
  });
}

/** Notes have no URI. They link to the page of their experiment. */
const collections: Partial<Record<AuditedKind, string>> = {
  experiment: 'experiments',
  action: 'actions',
  callback_execution: 'callback_executions',
  scan: 'scans',
  subject: 'subjects',
  cohort: 'cohorts',
  workflow: 'workflows',
  callback: 'callbacks',
  user: 'users',
  role: 'roles',
  external_system: 'external_systems',
  scantype: 'scantypes',
};
const withoutPage = new Set<AuditedKind>(['user', 'role', 'scantype']);

function showEntry(links: Links, row: AuditRow): Static<typeof AuditEntry> {
  const {
    actor_kind,
    actor_id,
    actor_name,
    actor_is_service_account,
    object_kind,
    object_id,
    object_label,
    chain,
    chain_id,
    ...entry
  } = row;
  return {
    ...entry,
    chain: { kind: chain, id: chain_id === 0 ? null : chain_id },
    actor: { kind: actor_kind, id: actor_id, name: actor_name, is_service_account: actor_is_service_account },
    object: { kind: object_kind, id: object_id, label: object_label, ...urisOf(links, row) },
  };
}

function urisOf(links: Links, { object_kind: kind, object_id: id, object_label: label, chain_id }: AuditRow) {
  if (label === null) return { uri: null, web_uri: null };
  if (kind === 'note') return { uri: null, web_uri: links.webUri('experiments', chain_id) };
  const collection = collections[kind];
  if (collection === undefined) return { uri: null, web_uri: null };
  return {
    uri: links.uri(collection, id),
    web_uri: withoutPage.has(kind) ? null : links.webUri(collection, id),
  };
}
