/**
 * Applies a configuration file in one transaction (docs/decisions/0008). Without `overwrite`, existing objects stay unchanged.
 * With it, they get the values of the file, and objects that the file does not name stay. The role `admin` never changes. Returns
 * the objects that were created or changed.
 */
import { sql } from 'kysely';
import type { Tx } from '../../database/connection.ts';
import { findExternalSystems, insertExternalSystem, updateExternalSystem } from '../../store/study/external-systems.ts';
import type { ExternalSystemRow } from '../../store/study/external-systems.ts';
import type { Author } from '../../store/record/history.ts';
import { differing, recordChange, type Change } from '../../store/record/record-change.ts';
import { adminRole, findRole, insertRole, updateRole } from '../../store/people/roles.ts';
import { findScantype, insertScantype, updateScantype, type ScantypeRow } from '../../store/study/scantypes.ts';
import type { UserRow } from '../../store/people/users.ts';
import { applyUser, type ImportContext, type Warning } from './apply-config-user.ts';
import {
  namesIn,
  type ConfigDefinition,
  type ExternalSystemEntry,
  type RoleEntry,
  type ScantypeEntry,
} from '@milepost/definitions';
import type { FilePassword } from './hash-config-passwords.ts';
import { keepAnAdmin } from '../people/keep-an-admin.ts';

export interface AppliedConfig {
  roles: { id: number; name: string }[];
  users: UserRow[];
  external_systems: Omit<ExternalSystemRow, 'version'>[];
  scantypes: Omit<ScantypeRow, 'version'>[];
  warnings: Warning[];
  updated_at: string;
}

/** `passwords` has the new passwords by the user's index in the file. */
export async function applyConfig(
  tx: Tx,
  author: Author,
  config: ConfigDefinition,
  { overwrite, passwords }: { overwrite: boolean; passwords: ReadonlyMap<number, FilePassword> },
): Promise<AppliedConfig> {
  // Imports run one at a time, so that each sees what the others created.
  await sql`select pg_advisory_xact_lock(hashtext('import-config'))`.execute(tx);
  const changes: Change[] = [];
  const record = (change: Change) => void changes.push(change);
  const context: ImportContext = { tx, record, overwrite, warnings: [], rejectedPasswords: [] };
  const apply = async () => ({
    roles: await applyEach(config.roles, (entry) => applyRole(context, entry)),
    users: await applyEach(config.users, (entry, index) => applyUser(context, entry, passwords.get(index), index)),
    external_systems: await applyEach(config.external_systems, (entry) => applySystem(context, entry)),
    scantypes: await applyEach(config.scantypes, (entry) => applyScantype(context, entry)),
    warnings: context.warnings,
    updated_at: await databaseTime(tx),
  });
  const applied = await keepAnAdmin(tx, apply, context.rejectedPasswords);
  // Last, because all users share one history chain, and its lock must not be held while waiting for rows.
  for (const change of changes) await recordChange(tx, author, change);
  return applied;
}

async function databaseTime(tx: Tx): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::timestamptz(3) as now`.execute(tx);
  return rows[0]?.now ?? '';
}

/** Returns the objects that entries created or changed. */
async function applyEach<E, R>(
  entries: E[] | undefined,
  apply: (entry: E, index: number) => Promise<R | undefined>,
): Promise<R[]> {
  const applied: R[] = [];
  for (const [index, entry] of (entries ?? []).entries()) {
    const row = await apply(entry, index);
    if (row !== undefined) applied.push(row);
  }
  return applied;
}

async function applyRole({ tx, record, overwrite }: ImportContext, entry: RoleEntry) {
  const { name } = entry;
  if (name === adminRole) return undefined;
  const wanted = { description: entry.description, permissions: namesIn(entry.permissions) };
  const stored = await findRole(tx, name);
  if (!stored) {
    const values = { name, description: wanted.description ?? '', permissions: wanted.permissions ?? [] };
    const id = await insertRole(tx, values);
    record({ objectKind: 'role', objectId: id, before: null, after: values });
    return { id, name };
  }
  if (String(wanted.permissions) === String(stored.permissions)) wanted.permissions = undefined;
  const changes = overwrite ? differing<{ description: string; permissions: string[] }>(stored, wanted) : undefined;
  if (!changes) return undefined;
  await updateRole(tx, stored.id, changes);
  record({ objectKind: 'role', objectId: stored.id, before: stored, after: changes });
  return stored;
}

async function applySystem({ tx, record, overwrite }: ImportContext, entry: ExternalSystemEntry) {
  const values = { system_name: entry.system_name, url: entry.url };
  const [stored] = await findExternalSystems(tx, [values.system_name]);
  if (!stored) {
    const id = await insertExternalSystem(tx, values);
    record({ objectKind: 'external_system', objectId: id, before: null, after: values });
    return { id, ...values };
  }
  if (!overwrite || stored.url === values.url) return undefined;
  const after = { url: values.url };
  await updateExternalSystem(tx, stored.id, after);
  record({ objectKind: 'external_system', objectId: stored.id, before: stored, after });
  return { ...stored, ...after };
}

async function applyScantype({ tx, record, overwrite }: ImportContext, entry: ScantypeEntry) {
  const { protocol } = entry;
  const stored = await findScantype(tx, protocol);
  if (!stored) {
    const values = { protocol, modality: entry.modality ?? '' };
    const id = await insertScantype(tx, values);
    record({ objectKind: 'scantype', objectId: id, before: null, after: values });
    return { id, ...values };
  }
  if (!overwrite || entry.modality === undefined || entry.modality === stored.modality) return undefined;
  await updateScantype(tx, stored.id, entry.modality);
  const after = { modality: entry.modality };
  record({ objectKind: 'scantype', objectId: stored.id, before: stored, after });
  return { ...stored, ...after };
}
