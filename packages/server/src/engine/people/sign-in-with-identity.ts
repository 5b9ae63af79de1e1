/**
 * Signs a user in with an identity from a single sign-on provider: finds the account by issuer and subject or creates one, and
 * updates the roles of the claim map (docs/decisions/0033). The operator defines that map, so the operator is the author in the
 * history.
 */
import { randomBytes } from 'node:crypto';
import type { SignInProblem } from '@milepost/api';
import type { OidcProvider } from '../../config/oidc.ts';
import type { Tx } from '../../database/connection.ts';
import type { Author } from '../../store/record/history.ts';
import { recordChange } from '../../store/record/record-change.ts';
import * as roles from '../../store/people/roles.ts';
import * as identities from '../../store/people/user-identities.ts';
import * as users from '../../store/people/users.ts';
import { keepAnAdmin } from './keep-an-admin.ts';
import { emailFrom, nameFrom, rolesFrom, usernameFrom, type Claims } from './read-identity-claims.ts';

export interface Identity extends identities.IdentityKey {
  claims: Claims;
}

type RoleMap = Pick<OidcProvider, 'roleClaim' | 'roles'>;

export interface SignIn {
  identity: Identity;
  map: RoleMap;
  requestId: string;
}

/** The provider knows the user, but the sign-in is rejected. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  readonly code: SignInProblem;

  constructor(code: SignInProblem) {
    super(code);
    this.code = code;
  }
}

/** Returns the id of the account, which is active and locked until the end of the transaction. */
export function signInWithIdentity(tx: Tx, given: SignIn): Promise<number> {
  const mayRemoveAdmin = [...given.map.roles.values()].includes(roles.adminRole);
  // Its lock must be taken before all others.
  return mayRemoveAdmin ? keepAnAdmin(tx, () => signIn(tx, given)) : signIn(tx, given);
}

async function signIn(tx: Tx, { identity, map, requestId }: SignIn): Promise<number> {
  const author: Author = { kind: 'operator', id: null, requestId, operation: 'signInWithProvider' };
  await identities.lockIdentity(tx, identity);
  const wanted = rolesFrom(identity.claims, map.roleClaim, map.roles);
  const known = await identities.findIdentity(tx, identity);
  if (known === undefined) return createAccount(tx, author, identity, wanted);
  const { id, active } = await users.lockUser(tx, known);
  if (!active) throw new SignInRefused('account_inactive');
  await changeRoles(tx, author, id, map, wanted);
  return id;
}

/**
 * Creates an account without a password and with the roles of the map only. Without any, the user has no access until one is
 * assigned.
 */
async function createAccount(tx: Tx, author: Author, identity: Identity, wanted: ReadonlySet<string>): Promise<number> {
  const { issuer, subject, claims } = identity;
  const email = await freeEmail(tx, claims);
  const username = await freeUsername(tx, usernameFrom(claims));
  const shown = { username, email, name: nameFrom(claims), active: true };
  const { id } = await users.insertUser(tx, { ...shown, password_hash: null });
  await identities.insertIdentity(tx, identity, id);
  const assigned: string[] = [];
  for (const name of wanted) if (await setRole(tx, id, name, true)) assigned.push(name);
  const after = { ...shown, roles: assigned, issuer, subject };
  await recordChange(tx, author, { objectKind: 'user', objectId: id, before: null, after });
  return id;
}

/** The verified address, unless another account has it. Otherwise an undeliverable address that cannot be guessed. */
async function freeEmail(tx: Tx, claims: Claims): Promise<string> {
  const verified = emailFrom(claims);
  if (verified !== undefined && !(await users.findAccount(tx, verified))) return verified;
  return `${randomBytes(16).toString('hex')}@no-mail.invalid`;
}

const maxNumbered = 50;

async function freeUsername(tx: Tx, wanted: string): Promise<string> {
  const tried = Array.from({ length: maxNumbered }, (_, index) => (index === 0 ? wanted : `${wanted}-${index + 1}`));
  const taken = await users.takenUsernames(tx, tried.map(users.foldName));
  return tried.find((name) => !taken.has(users.foldName(name))) ?? `${wanted}-${randomBytes(8).toString('hex')}`;
}

/** Assigns and removes roles of the map as the claim says. Roles outside the map were assigned here and stay. */
async function changeRoles(tx: Tx, author: Author, userId: number, map: RoleMap, wanted: ReadonlySet<string>) {
  for (const name of new Set(map.roles.values())) {
    const has = wanted.has(name);
    if (!(await setRole(tx, userId, name, has))) continue;
    const [before, after] = [!has, has].map((has_role) => ({ role: name, has_role }));
    await recordChange(tx, author, {
      objectKind: 'user',
      objectId: userId,
      before: before ?? null,
      after: after ?? null,
    });
  }
}

/** Returns whether it changed something. A role that does not exist is ignored. */
async function setRole(tx: Tx, userId: number, name: string, has: boolean): Promise<boolean> {
  const role = await roles.findRole(tx, name);
  if (!role) return false;
  return has ? roles.insertUserRole(tx, userId, role.id) : roles.deleteUserRole(tx, userId, role.id);
}
