/** The history of everything: ours, beyond the specification (docs/decisions/0028). */
import type { AuditEntry, auditOperations } from '@milepost/api';
import type { Static } from 'typebox';
import { exportLines } from '../chain/export-lines.ts';
import { invalid, Problem } from '../errors.ts';
import { ok, type Handlers } from '../http/call.ts';
import { Lines } from '../http/lines.ts';
import type { Links } from '../links.ts';
import { listAuditIds, type AuditedKind } from '../store/audit.ts';
import { readAuditEntries, type AuditRow } from '../store/audit-entries.ts';
import { readChains } from '../store/chained-history.ts';
import { readSigning, listCheckpoints, readCheckpoints } from '../store/checkpoints.ts';

const usualLimit = 100;
const looks = 10_000;

export const auditHandlers: Handlers<typeof auditOperations> = {
  async listAudit({ database: { db }, account, query, links }) {
    const { before = Number.MAX_SAFE_INTEGER, limit = usualLimit, ...filter } = query;
    if (filter.object_id !== undefined && filter.object_kind === undefined) {
      throw invalid({ pointer: '?object_id', detail: '?object_id needs ?object_kind: ids are counted by kind.' });
    }
    const { ids, next } = await listAuditIds(db, account.scope, filter, { before, limit, looks });
    const rows = await readAuditEntries(db, ids);
    const entries = rows.map((row) => showEntry(links, row));
    return { ...ok({ entries, next: next() ?? null }), next, nextBy: 'before' };
  },

  async listCheckpoints({ database: { db }, query }) {
    const { before = Number.MAX_SAFE_INTEGER, limit = usualLimit } = query;
    const found = await listCheckpoints(db, { before, limit: limit + 1 });
    const checkpoints = found.slice(0, limit);
    const next = () => (found.length > limit && limit > 0 ? checkpoints.at(-1)?.number : undefined);
    return { ...ok({ checkpoints, unsigned_since: (await readSigning(db)).unsignedSince }), next, nextBy: 'before' };
  },

  /** By pages, not by one snapshot: held for hours, that would keep all tables from being cleaned. */
  async exportAudit({ database, account }) {
    if (account.scope.kind !== 'all') {
      throw new Problem('not_allowed', 'The history is exported whole, and you may see some cohorts only.');
    }
    const lines = database.streams.readPages((db) => exportLines(readCheckpoints(db), readChains(db)));
    return ok(new Lines('history.ndjson', lines));
  },
};

/** Notes are shown with their experiment, and have no address of their own. */
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
    object: { kind: object_kind, id: object_id, label: object_label, ...addressesOf(links, row) },
  };
}

function addressesOf(links: Links, { object_kind: kind, object_id: id, object_label: label, chain_id }: AuditRow) {
  if (label === null) return { uri: null, web_uri: null };
  if (kind === 'note') return { uri: null, web_uri: links.webUri('experiments', chain_id) };
  const collection = collections[kind];
  if (collection === undefined) return { uri: null, web_uri: null };
  return {
    uri: links.uri(collection, id),
    web_uri: withoutPage.has(kind) ? null : links.webUri(collection, id),
  };
}
