/** The audit log (docs/decisions/0028). */
import type { AuditEntry, auditOperations } from '@milepost/api';
import type { Static } from 'typebox';
import { exportLines } from '../../chain/export-lines.ts';
import { invalid, Problem } from '../../errors.ts';
import { ok, type Call, type Handlers } from '../../http/call.ts';
import { Lines } from '../../http/lines-download.ts';
import type { Links } from '../../links.ts';
import { isNamedKind } from '../../store/named-objects.ts';
import { listAuditIds, type AuditedKind, type AuditFilter } from '../../store/record/audit.ts';
import { readAuditEntries, type AuditRow } from '../../store/record/audit-entries.ts';
import { readChains } from '../../store/record/chained-history.ts';
import { readSigningStatus, listCheckpoints, readCheckpoints } from '../../store/record/checkpoints.ts';
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
    const { before = Number.MAX_SAFE_INTEGER, limit = defaultLimit, ...filter } = query;
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
    return { ...ok({ entries, next: next() ?? null }), next, nextBy: 'before' };
  },

  async listCheckpoints({ database: { db }, query }) {
    const { before = Number.MAX_SAFE_INTEGER, limit = defaultLimit } = query;
    const found = await listCheckpoints(db, { before, limit: limit + 1 });
    const checkpoints = found.slice(0, limit);
    const next = () => (found.length > limit && limit > 0 ? checkpoints.at(-1)?.number : undefined);
    return {
      ...ok({ checkpoints, unsigned_since: (await readSigningStatus(db)).unsignedSince }),
      next,
      nextBy: 'before',
    };
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
  const { actor_kind, actor_id, actor_name, object_kind, object_id, object_label, chain, chain_id, ...entry } = row;
  return {
    ...entry,
    chain: { kind: chain, id: chain_id === 0 ? null : chain_id },
    actor: { kind: actor_kind, id: actor_id, name: actor_name },
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
