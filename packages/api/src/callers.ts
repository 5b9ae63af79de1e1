/**
 * What each kind of caller is answered by operations of each access. Written down, not derived from the rules that the
 * server follows, so that the two can be held against each other: a test calls every operation as every caller. A new
 * kind of access does not compile without its column here, and a new kind of caller is one more row.
 */
import type { Operation } from './operation.ts';
import { permissions, type Access, type Permission } from './permission.ts';
import type { ProblemCode } from './problem.ts';
import { keysOf } from './records.ts';

/** What the roles of the first start carry. */
export const builtInRoles = {
  admin: permissions,
  superuser: ['sample_state_update', 'sample_add', 'sample_update', 'user_read', 'upload_data'],
  user: ['user_read'],
} as const satisfies Record<string, readonly Permission[]>;

export type BuiltInRole = keyof typeof builtInRoles;

/**
 * `permitted`: let in if the role of this name carries the permission that the operation names, or if it names none.
 * `reading`: let in if nothing is changed. `named`: let in to the data of cohorts, and to nothing that concerns the whole
 * installation. `absent`: likewise, and finds nothing of the cohort that the request is about.
 */
type Entry = 'allowed' | 'permitted' | 'reading' | 'named' | 'absent' | 'not asked' | ProblemCode;
type Row = Readonly<Record<Access['kind'], Entry>>;

const [yes, permitted, reading, none] = ['allowed', 'permitted', 'reading', 'not asked'] as const;
const [named, absent] = ['named', 'absent'] as const;
const [over, ended] = ['session_ended', 'token_ended'] as const;
const [stranger, unknown, no, closed] = ['not_signed_in', 'wrong_credentials', 'not_allowed', 'wrong_secret'] as const;

/** Who says who they are, and is not. */
const nobodyKnown: Row = {
  public: yes,
  account: unknown,
  role: unknown,
  permission: unknown,
  own_account: unknown,
  execution: unknown,
};

/** Whatever became of it. */
const overToken: Row = {
  public: yes,
  account: ended,
  role: ended,
  permission: ended,
  own_account: ended,
  execution: ended,
};

/** As `just enough`, but for named cohorts, among them that of the request. */
const forItsCohort: Row = {
  public: yes,
  account: yes,
  role: named,
  permission: named,
  own_account: named,
  execution: named,
};

/** And for another one alone. */
const forAnotherCohort: Row = {
  public: yes,
  account: yes,
  role: absent,
  permission: absent,
  own_account: absent,
  execution: absent,
};

const rows = {
  anonymous: {
    public: yes,
    account: stranger,
    role: stranger,
    permission: stranger,
    own_account: stranger,
    execution: stranger,
  },
  /** Was an admin. */
  inactive: nobodyKnown,
  'without role': { public: yes, account: yes, role: no, permission: no, own_account: no, execution: no },
  user: { public: yes, account: yes, role: yes, permission: permitted, own_account: permitted, execution: permitted },
  superuser: {
    public: yes,
    account: yes,
    role: yes,
    permission: permitted,
    own_account: permitted,
    execution: permitted,
  },
  admin: { public: yes, account: yes, role: yes, permission: yes, own_account: yes, execution: yes },
  /** A role with the permission that the operation names, and nothing else. */
  'just enough': { public: yes, account: yes, role: yes, permission: yes, own_account: yes, execution: yes },
  /** Every permission but that one; where none is named, no role. */
  'all but that': { public: yes, account: yes, role: no, permission: no, own_account: no, execution: no },
  'for its cohort': forItsCohort,
  'for another cohort': forAnotherCohort,
  'own account': { public: none, account: none, role: none, permission: none, own_account: yes, execution: none },
  "another's account": { public: none, account: none, role: none, permission: none, own_account: no, execution: none },
  /** As `just enough`, by the cookie of a session. */
  session: { public: yes, account: yes, role: yes, permission: yes, own_account: yes, execution: yes },
  'session for its cohort': forItsCohort,
  'session for another cohort': forAnotherCohort,
  'ended session': { public: yes, account: over, role: over, permission: over, own_account: over, execution: over },
  /** As `just enough`, by a token that has the permission. */
  token: { public: yes, account: yes, role: yes, permission: yes, own_account: yes, execution: yes },
  /** An admin's, with every permission but the one that the operation names. */
  'narrow token': {
    public: yes,
    account: yes,
    role: yes,
    permission: no,
    own_account: no,
    execution: permitted,
  },
  'token for its cohort': forItsCohort,
  'token for another cohort': forAnotherCohort,
  /** As `narrow token`, of somebody who is an admin for named cohorts, among them that of the request. */
  'narrow token for its cohort': {
    public: yes,
    account: yes,
    role: named,
    permission: no,
    own_account: no,
    execution: permitted,
  },
  /** Without any permission, on the account that it is of. */
  'own token': { public: none, account: none, role: none, permission: none, own_account: reading, execution: none },
  'expired token': overToken,
  'revoked token': overToken,
  "inactive owner's token": overToken,
  'wrong token': nobodyKnown,
  /** Secrets of executions, as bearer tokens. */
  secret: { ...nobodyKnown, execution: yes },
  'wrong secret': { ...nobodyKnown, execution: closed },
  "another's secret": { ...nobodyKnown, execution: closed },
  'body secret': { public: none, account: none, role: none, permission: none, own_account: none, execution: yes },
  'body wrong secret': {
    public: none,
    account: none,
    role: none,
    permission: none,
    own_account: none,
    execution: closed,
  },
  "body another's secret": {
    public: none,
    account: none,
    role: none,
    permission: none,
    own_account: none,
    execution: closed,
  },
} as const satisfies Record<string, Row>;

export type CallerKind = keyof typeof rows;
export const callerKinds = keysOf(rows);

export type Verdict = Exclude<Entry, 'permitted' | 'reading' | 'named' | 'absent' | 'not asked'>;

type Asked = Pick<Operation, 'method' | 'path' | 'access' | 'body' | 'tokens' | 'installationWide'>;

/** Undefined where the caller cannot come in this way: nobody's own account, or a secret in a body that is not taken. */
export function verdictOn(operation: Asked, caller: CallerKind): Verdict | undefined {
  const { access, body } = operation;
  const entry: Entry = rows[caller][access.kind];
  if (entry === 'not asked' || (caller.startsWith('body ') && body === undefined)) return undefined;
  if (access.kind !== 'public' && operation.tokens === 'refused' && openTokens.has(caller)) return 'not_allowed';
  if (entry === 'reading') return operation.method === 'GET' ? 'allowed' : 'not_allowed';
  if (entry === 'permitted') return carries(caller, access) ? 'allowed' : 'not_allowed';
  if (entry !== 'named' && entry !== 'absent') return entry;
  if (operation.installationWide) return 'not_allowed';
  return entry === 'absent' && namesStudyData(operation) ? 'not_found' : 'allowed';
}

const openTokens: ReadonlySet<CallerKind> = new Set([
  'token',
  'narrow token',
  'token for its cohort',
  'token for another cohort',
  'narrow token for its cohort',
  'own token',
]);

/** What all cohorts share. */
const shared = /^\/(workflows|states|transitions|callbacks|external_systems|scantypes)\//;

/** Every write does; of what is read, that which has a row of a cohort in its path. */
const namesStudyData = ({ method, path }: Asked): boolean =>
  method !== 'GET' || (path.includes('{') && !shared.test(path));

function carries(caller: CallerKind, access: Access): boolean {
  if (!('permission' in access)) return true;
  const role: readonly Permission[] = caller in builtInRoles ? builtInRoles[caller as BuiltInRole] : [];
  return access.permission === undefined || role.includes(access.permission);
}
