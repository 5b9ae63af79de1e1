/**
 * Applies one user of a configuration file. The account is found by username or e-mail address, which must not match two
 * accounts.
 */
import type { Tx } from '../../database/connection.ts';
import { Problem, referenceNotFound } from '../../errors.ts';
import { differing, type Change } from '../../store/record-change.ts';
import {
  deleteUserRole,
  defaultRole,
  findRole,
  insertUserRole,
  readRoleNames,
  type RoleRow,
} from '../../store/roles.ts';
import { findUsersByNames, updateUser, type UserRow } from '../../store/users.ts';
import { namesIn, type UserEntry } from './config-definition.ts';
import { insertUserWithRoles } from '../people/create-user.ts';

export interface ImportContext {
  tx: Tx;
  /** Collects changes, which are recorded when everything is written. */
  record: (change: Change) => void;
  overwrite: boolean;
  warnings: string[];
}

/** `hash` is the hash of a new password. Undefined if no password is given or it is unchanged. */
export async function applyUser(context: ImportContext, entry: UserEntry, hash: string | undefined, index: number) {
  const { tx, record, overwrite } = context;
  const roles = await findRoles(tx, namesIn(entry.roles), `/users/${index}/roles`);
  const stored = await findMatching(tx, entry, index);
  if (stored) return overwrite ? overwriteUser(context, stored, { wanted: entry, hash, roles }) : undefined;
  if (hash === undefined) throw new Problem('invalid_request', `User ${entry.username} is new and needs a password.`);
  const { username, email, name = '', active = true } = entry;
  const names = roles?.map((role) => role.name) ?? [defaultRole];
  const { user, change } = await insertUserWithRoles(tx, { username, email, name, active, password_hash: hash }, names);
  record(change);
  return user;
}

async function findMatching(
  tx: Tx,
  entry: { username: string; email: string },
  index: number,
): Promise<UserRow | undefined> {
  const found = await findUsersByNames(tx, entry);
  if (found.length < 2) return found[0];
  const detail = `The username ${entry.username} and the e-mail address ${entry.email} belong to two different users.`;
  throw new Problem('ambiguous_reference', detail, {
    faults: [{ pointer: `/users/${index}`, detail }],
  });
}

async function findRoles(tx: Tx, names: string[] | undefined, pointer: string): Promise<RoleRow[] | undefined> {
  if (names === undefined) return undefined;
  const roles: RoleRow[] = [];
  for (const name of names) {
    const role = await findRole(tx, name);
    if (!role) throw referenceNotFound(pointer, `role "${name}"`);
    roles.push(role);
  }
  return roles;
}

interface Wanted {
  wanted: UserEntry;
  hash: string | undefined;
  roles: RoleRow[] | undefined;
}

async function overwriteUser({ tx, record }: ImportContext, stored: UserRow, { wanted, hash, roles }: Wanted) {
  const { username, email, name, active } = wanted;
  const changes = differing(stored, { username, email, name, active });
  if (changes || hash !== undefined)
    await updateUser(tx, stored.id, { ...changes, ...(hash !== undefined && { password_hash: hash }) });
  const changedRoles = roles && (await replaceRoles(tx, stored.id, roles));
  if (!changes && hash === undefined && !changedRoles) return undefined;
  const after = { ...changes, ...(hash !== undefined && { password: 'changed' }), ...changedRoles?.after };
  record({
    objectKind: 'user',
    objectId: stored.id,
    before: { ...stored, ...changedRoles?.before },
    after,
  });
  return { ...stored, ...changes };
}

async function replaceRoles(tx: Tx, userId: number, wanted: readonly RoleRow[]) {
  const before = await readRoleNames(tx, userId);
  const names = wanted.map((role) => role.name);
  if (before.length === names.length && before.every((name) => names.includes(name))) return undefined;
  for (const role of wanted) await insertUserRole(tx, userId, role.id);
  for (const name of before.filter((old) => !names.includes(old))) {
    const role = await findRole(tx, name);
    if (role) await deleteUserRole(tx, userId, role.id);
  }
  return { before: { roles: before }, after: { roles: names } };
}
