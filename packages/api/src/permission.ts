/** Every permission a role can carry. The first twelve are those of the existing system; the others are ours. */
export const permissions = [
  'action_update',
  'sample_state_update',
  'sample_add',
  'sample_update',
  'sample_delete',
  'user_read',
  'user_read_all',
  'user_update_all',
  'user_add',
  'user_delete',
  'roles_manage',
  'upload_data',
  'workflow_manage',
  'config_manage',
  'service_run',
  'worker_run',
  'state_override',
  'audit_read',
  'token_manage',
  'webhook_manage',
] as const;

export type Permission = (typeof permissions)[number];

/**
 * Who may call an operation. Every operation carries one of these as data, so that the server, the documentation and
 * the tests of authorisation read the same line.
 */
export type Access =
  /** Anybody, without signing in. */
  | { kind: 'public' }
  /** A signed-in active user, also without any role. */
  | { kind: 'account' }
  /** A signed-in active user who has at least one role. */
  | { kind: 'role' }
  /** A signed-in active user one of whose roles carries the permission. */
  | { kind: 'permission'; permission: Permission }
  /** One's own account always; anybody else's with the permission, and without it 403 before 404. */
  | { kind: 'own_account'; permission: Permission }
  /** As `role`, or `permission` where one is named; or, without signing in, the execution's own secret. */
  | { kind: 'execution'; permission?: Permission };

export const everybody: Access = { kind: 'public' };
export const anyAccount: Access = { kind: 'account' };
export const signedIn: Access = { kind: 'role' };
export const needs = (permission: Permission): Access => ({ kind: 'permission', permission });
export const ownAccountOr = (permission: Permission): Access => ({ kind: 'own_account', permission });
/** The execution's own secret opens it without signing in; people need the permission, or just a role. */
export const executionSecretOr = (permission?: Permission): Access =>
  permission === undefined ? { kind: 'execution' } : { kind: 'execution', permission };

/** Who may call an operation, as sentences for its documentation. */
export const describeAccess = ({ access, installationWide, tokens }: Described): string =>
  [
    sentenceOf(access),
    ...(installationWide === true ? ['A role for named cohorts does not count.'] : []),
    ...(tokens === 'refused' ? ['A token does not open it.'] : []),
  ].join(' ');

interface Described {
  access: Access;
  installationWide?: true;
  tokens?: 'refused';
}

const sentenceOf = (access: Access): string => {
  switch (access.kind) {
    case 'public':
      return 'Open to everybody.';
    case 'account':
      return 'For everybody who is signed in.';
    case 'role':
      return 'For signed-in users with any role.';
    case 'permission':
      return `Needs the permission \`${access.permission}\`.`;
    case 'own_account':
      return `Your own account is always open to you; those of others need the permission \`${access.permission}\`.`;
    case 'execution':
      return `${peopleOf(access.permission)} The secret of the execution opens it without signing in.`;
    default:
      return access satisfies never;
  }
};

const peopleOf = (permission: Permission | undefined): string =>
  sentenceOf(permission === undefined ? signedIn : needs(permission));
