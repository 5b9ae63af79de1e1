/**
 * Applies one user of a configuration file. The account is found by username or e-mail address, which must not match two
 * accounts.
 */
import type { Tx } from '../../database/connection.ts';
import type { Fault } from '@milepost/api';
import { Problem, referenceNotFound } from '../../errors.ts';
import { differing, type Change } from '../../store/record/record-change.ts';
import {
  adminRole,
  deleteUserRole,
  defaultRole,
  findRole,
  insertUserRole,
  readRoleNames,
  type RoleRow,
} from '../../store/people/roles.ts';
import { findUsersByNames, updateUser, type UserRow } from '../../store/people/users.ts';
import { namesIn, type UserEntry } from '@milepost/definitions';
import type { FilePassword } from './hash-config-passwords.ts';
import { insertUserWithRoles } from '../people/create-user.ts';

export interface ImportContext {
  tx: Tx;
  /** Collects changes, which are recorded when everything is written. */
  record: (change: Change) => void;
  overwrite: boolean;
  warnings: Warning[];
  /** The passwords without which new administrators were created. */
  rejectedPasswords: Fault[];
}

export interface Warning {
  message: string;
  /** The part of the file that it is about. */
  pointer: string;
}

/** `password` is undefined if none is given or it is unchanged. */
export async function applyUser(
  context: ImportContext,
  entry: UserEntry,
  password: FilePassword | undefined,
  index: number,
) {
  const { tx, overwrite } = context;
  const roles = await findRoles(tx, namesIn(entry.roles), `/users/${index}/roles`);
  const stored = await findMatching(tx, entry, index);
  if (stored && !overwrite) return undefined;
  const isNewAdmin = !stored && roles?.some(({ name }) => name === adminRole) === true;
  const hash = acceptedHash(context, { password, username: entry.username, index, isNew: !stored, isNewAdmin });
  if (stored) return overwriteUser(context, stored, { wanted: entry, hash, roles });
  if (!password) throw new Problem('invalid_request', `User ${entry.username} is new and needs a password.`);
  return addUser(context, entry, { hash, roles });
}

interface GivenPassword {
  password: FilePassword | undefined;
  username: string;
  index: number;
  isNew: boolean;
  isNewAdmin: boolean;
}

/** Warns about a rejected password, never with its text. An import removes no password, so a stored one stays. */
function acceptedHash(context: ImportContext, given: GivenPassword): string | undefined {
  const { password, username, index, isNew, isNewAdmin } = given;
  if (!password || 'hash' in password) return password?.hash;
  const pointer = `/users/${index}/password`;
  if (isNewAdmin) context.rejectedPasswords.push({ pointer, detail: `${pointer} ${password.fault}` });
  const consequence = isNew ? createdWithoutPassword : 'The stored password stays unchanged.';
  context.warnings.push({ message: `The password of the user ${username} ${password.fault} ${consequence}`, pointer });
  return undefined;
}

const createdWithoutPassword =
  'The user is created without a password and can sign in after a password reset, or after an administrator sets a password.';

async function addUser({ tx, record }: ImportContext, entry: UserEntry, { hash, roles }: Omit<Wanted, 'wanted'>) {
  const { username, email, name = '', active = true } = entry;
  const names = roles?.map((role) => role.name) ?? [defaultRole];
  const values = { username, email, name, active, password_hash: hash ?? null, awaits_password: hash === undefined };
  const { user, change } = await insertUserWithRoles(tx, values, { roles: names });
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
