/**
 * Somebody came in through a provider of single sign-on: finds their account by issuer and subject, or makes one, and gives and takes
 * the roles of the claim map (docs/decisions/0033). It is the operator's map that does so, not the person, and so says the history.
 */
import { randomBytes } from 'node:crypto';
import type { SignInProblem } from '@milepost/api';
import type { OidcProvider } from '../../config/oidc.ts';
import type { Tx } from '../../database/connection.ts';
import type { Author } from '../../store/history.ts';
import { recordChange } from '../../store/record-change.ts';
import * as roles from '../../store/roles.ts';
import * as identities from '../../store/user-identities.ts';
import * as users from '../../store/users.ts';
import { keepAnAdmin } from './keep-an-admin.ts';
import { emailFrom, nameFrom, rolesFrom, usernameFrom, type Claims } from './read-claims.ts';

export interface Identity extends identities.IdentityKey {
  claims: Claims;
}

type RoleMap = Pick<OidcProvider, 'roleClaim' | 'roles'>;

export interface Entry {
  identity: Identity;
  map: RoleMap;
  requestId: string;
}

/** Why somebody whom the provider knows does not come in. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  readonly code: SignInProblem;

  constructor(code: SignInProblem) {
    super(code);
    this.code = code;
  }
}

/** The account, which is active and held until the end of the transaction. */
export function enterByIdentity(tx: Tx, entry: Entry): Promise<number> {
  const mayTakeAdmin = [...entry.map.roles.values()].includes(roles.adminRole);
  // That lock comes before all others.
  return mayTakeAdmin ? keepAnAdmin(tx, () => enter(tx, entry)) : enter(tx, entry);
}

async function enter(tx: Tx, { identity, map, requestId }: Entry): Promise<number> {
  const author: Author = { kind: 'operator', id: null, requestId, operation: 'signInWithProvider' };
  await identities.holdIdentity(tx, identity);
  const wanted = rolesFrom(identity.claims, map.roleClaim, map.roles);
  const known = await identities.findIdentity(tx, identity);
  if (known === undefined) return makeAccount(tx, author, identity, wanted);
  const { id, active } = await users.lockUser(tx, known);
  if (!active) throw new SignInRefused('account_inactive');
  await changeRoles(tx, author, id, map, wanted);
  return id;
}

/** Without a password, and with the roles of the map alone: who is in none can do nothing until somebody gives them one. */
async function makeAccount(tx: Tx, author: Author, identity: Identity, wanted: ReadonlySet<string>): Promise<number> {
  const { issuer, subject, claims } = identity;
  const email = await freeEmail(tx, claims);
  const username = await freeUsername(tx, usernameFrom(claims));
  const shown = { username, email, name: nameFrom(claims), active: true };
  const { id } = await users.insertUser(tx, { ...shown, password_hash: null });
  await identities.insertIdentity(tx, identity, id);
  const given: string[] = [];
  for (const name of wanted) if (await setRole(tx, id, name, true)) given.push(name);
  const after = { ...shown, roles: given, issuer, subject };
  await recordChange(tx, author, { objectKind: 'user', objectId: id, before: null, after });
  return id;
}

/**
 * The verified one, unless another account has it: that account stays whose it is. Then, or where none is known, an address that
 * no mail can reach, and that nobody can take before.
 */
async function freeEmail(tx: Tx, claims: Claims): Promise<string> {
  const verified = emailFrom(claims);
  if (verified !== undefined && !(await users.findAccount(tx, verified))) return verified;
  return `${randomBytes(16).toString('hex')}@no-mail.invalid`;
}

const triedNumbers = 50;

async function freeUsername(tx: Tx, wanted: string): Promise<string> {
  const tried = Array.from({ length: triedNumbers }, (_, index) => (index === 0 ? wanted : `${wanted}-${index + 1}`));
  const taken = await users.takenUsernames(tx, tried.map(users.foldName));
  return tried.find((name) => !taken.has(users.foldName(name))) ?? `${wanted}-${randomBytes(8).toString('hex')}`;
}

/** Roles of the map are given and taken as the claim says; all others are somebody's decision here, and stay. */
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

/** Whether that changed anything. A role that is not there, or not yet, gives nothing. */
async function setRole(tx: Tx, userId: number, name: string, has: boolean): Promise<boolean> {
  const role = await roles.findRole(tx, name);
  if (!role) return false;
  return has ? roles.insertUserRole(tx, userId, role.id) : roles.deleteUserRole(tx, userId, role.id);
}
