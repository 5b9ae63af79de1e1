/**
 * The expected result for each kind of caller and access. The table is written by hand and not derived from the server's
 * rules, so that a test can compare the two by calling every operation as every caller.
 */
import type { Operation } from '../src/operation.ts';
import { permissions, type Access, type Permission } from '../src/permission.ts';
import type { ProblemCode } from '../src/problem.ts';
import { keysOf } from '../src/typed-keys.ts';

/** The permissions of the roles that exist from the first start. */
export const builtInRoles = {
  admin: permissions,
  superuser: ['sample_state_update', 'sample_add', 'sample_update', 'user_read', 'upload_data'],
  user: ['user_read'],
} as const satisfies Record<string, readonly Permission[]>;

export type BuiltInRole = keyof typeof builtInRoles;

/**
 * `permitted`: allowed if the role has the permission of the operation, or if it requires none. `read only`: allowed for GET.
 * `in cohort`: allowed, except for operations that affect the whole installation. `not in cohort`: the same, but the objects
 * of the request are not found.
 */
type Entry = 'allowed' | 'permitted' | 'read only' | 'in cohort' | 'not in cohort' | 'not applicable' | ProblemCode;
type Row = Readonly<Record<Access['kind'], Entry>>;

const [yes, permitted, readOnly, none] = ['allowed', 'permitted', 'read only', 'not applicable'] as const;
const [inCohort, notInCohort] = ['in cohort', 'not in cohort'] as const;
const [ended, endedToken] = ['session_ended', 'token_ended'] as const;
const [signedOut, unknown, no, badSecret] = [
  'not_signed_in',
  'wrong_credentials',
  'not_allowed',
  'wrong_secret',
] as const;

const wrongCredentials: Row = {
  public: yes,
  account: unknown,
  read: unknown,
  permission: unknown,
  own_account: unknown,
  execution: unknown,
};

/** Expired, revoked, or of a deactivated account. */
const invalidToken: Row = {
  public: yes,
  account: endedToken,
  read: endedToken,
  permission: endedToken,
  own_account: endedToken,
  execution: endedToken,
};

/** Like `required permission`, but with the role in the cohort of the request. */
const forItsCohort: Row = {
  public: yes,
  account: yes,
  read: inCohort,
  permission: inCohort,
  own_account: inCohort,
  execution: inCohort,
};

/** Like `required permission`, but with the role in another cohort. */
const forAnotherCohort: Row = {
  public: yes,
  account: yes,
  read: notInCohort,
  permission: notInCohort,
  own_account: notInCohort,
  execution: notInCohort,
};

const rows = {
  anonymous: {
    public: yes,
    account: signedOut,
    read: signedOut,
    permission: signedOut,
    own_account: signedOut,
    execution: signedOut,
  },
  /** A deactivated administrator. */
  inactive: wrongCredentials,
  'without role': { public: yes, account: yes, read: no, permission: no, own_account: no, execution: no },
  user: { public: yes, account: yes, read: yes, permission: permitted, own_account: permitted, execution: permitted },
  superuser: {
    public: yes,
    account: yes,
    read: yes,
    permission: permitted,
    own_account: permitted,
    execution: permitted,
  },
  admin: { public: yes, account: yes, read: yes, permission: yes, own_account: yes, execution: yes },
  /** A role with only the permission of the operation. */
  'required permission': { public: yes, account: yes, read: yes, permission: yes, own_account: yes, execution: yes },
  /** A role with every other permission, or with an unknown one if any permission is enough. */
  'all other permissions': { public: yes, account: yes, read: no, permission: no, own_account: no, execution: no },
  'for its cohort': forItsCohort,
  'for another cohort': forAnotherCohort,
  'own account': { public: none, account: none, read: none, permission: none, own_account: yes, execution: none },
  'another account': { public: none, account: none, read: none, permission: none, own_account: no, execution: none },
  /** Like `required permission`, with a session. */
  session: { public: yes, account: yes, read: yes, permission: yes, own_account: yes, execution: yes },
  'session for its cohort': forItsCohort,
  'session for another cohort': forAnotherCohort,
  'ended session': {
    public: yes,
    account: ended,
    read: ended,
    permission: ended,
    own_account: ended,
    execution: ended,
  },
  /** Like `required permission`, with an API token that has the permission. */
  token: { public: yes, account: yes, read: yes, permission: yes, own_account: yes, execution: yes },
  /** A token of an administrator, with every permission except that of the operation. */
  'narrow token': {
    public: yes,
    account: yes,
    read: yes,
    permission: no,
    own_account: no,
    execution: permitted,
  },
  'token for its cohort': forItsCohort,
  'token for another cohort': forAnotherCohort,
  /** Like `narrow token`, but the owner is an administrator only in the cohort of the request. */
  'narrow token for its cohort': {
    public: yes,
    account: yes,
    read: inCohort,
    permission: no,
    own_account: no,
    execution: permitted,
  },
  /** A token of an administrator, without permissions. */
  'empty token': { public: yes, account: yes, read: no, permission: no, own_account: no, execution: no },
  /** A token without permissions, used on its own account. */
  'own token': { public: none, account: none, read: none, permission: none, own_account: readOnly, execution: none },
  'expired token': invalidToken,
  'revoked token': invalidToken,
  "inactive owner's token": invalidToken,
  'wrong token': wrongCredentials,
  /** The secret of an execution, as a bearer token. */
  secret: { ...wrongCredentials, execution: yes },
  'wrong secret': { ...wrongCredentials, execution: badSecret },
  "another execution's secret": { ...wrongCredentials, execution: badSecret },
  'body with secret': { public: none, account: none, read: none, permission: none, own_account: none, execution: yes },
  'body with wrong secret': {
    public: none,
    account: none,
    read: none,
    permission: none,
    own_account: none,
    execution: badSecret,
  },
  "body with another execution's secret": {
    public: none,
    account: none,
    read: none,
    permission: none,
    own_account: none,
    execution: badSecret,
  },
} as const satisfies Record<string, Row>;

export type CallerKind = keyof typeof rows;
export const callerKinds = keysOf(rows);

export type Verdict = Exclude<Entry, 'permitted' | 'read only' | 'in cohort' | 'not in cohort' | 'not applicable'>;

type Called = Pick<Operation, 'method' | 'path' | 'access' | 'body' | 'tokens' | 'installationWide'>;

/** Undefined if the kind of caller does not apply to the operation, such as a secret in the body of a GET. */
export function verdictOn(operation: Called, caller: CallerKind): Verdict | undefined {
  const { access, body } = operation;
  const entry: Entry = rows[caller][access.kind];
  if (entry === 'not applicable' || (caller.startsWith('body ') && body === undefined)) return undefined;
  if (access.kind !== 'public' && operation.tokens === 'refused' && validTokens.has(caller)) return 'not_allowed';
  if (entry === 'read only') return operation.method === 'GET' ? 'allowed' : 'not_allowed';
  if (entry === 'permitted') return hasPermission(caller, access) ? 'allowed' : 'not_allowed';
  if (entry !== 'in cohort' && entry !== 'not in cohort') return entry;
  if (operation.installationWide) return 'not_allowed';
  if (entry === 'in cohort') return 'allowed';
  if (filtered.has(operation.path)) return 'invalid_request';
  return refersToCohortData(operation) ? 'not_found' : 'allowed';
}

const validTokens: ReadonlySet<CallerKind> = new Set([
  'token',
  'narrow token',
  'token for its cohort',
  'token for another cohort',
  'narrow token for its cohort',
  'empty token',
  'own token',
]);

/** Lists whose request names an object of a cohort in a filter. In another cohort, the object is unknown. */
const filtered: ReadonlySet<string> = new Set([
  '/attention',
  '/audit',
  '/experiment_rows',
  '/incidents',
  '/workflows/{id}/counts',
]);

/** These objects belong to no cohort. */
const shared = /^\/(workflows|states|transitions|callbacks|external_systems|scantypes)\//;

/** These belong to the caller, whatever the cohorts. */
const personal = /^\/(?:views|bulk_operations)\b/;

/** True for every other write, and for reads whose path names an object of a cohort. */
const refersToCohortData = ({ method, path }: Called): boolean =>
  !personal.test(path) && (method !== 'GET' || (path.includes('{') && !shared.test(path)));

function hasPermission(caller: CallerKind, access: Access): boolean {
  if (!('permission' in access)) return true;
  const role: readonly Permission[] = caller in builtInRoles ? builtInRoles[caller as BuiltInRole] : [];
  return access.permission === undefined || role.includes(access.permission);
}
