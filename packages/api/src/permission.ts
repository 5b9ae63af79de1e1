/** Every permission a role can have. The first twelve come from the existing system. */
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

/** Allow only what every permission allows: reading. Imported roles can have them, but pages show `user_read` instead. */
export const unusedPermissions = ['upload_data', 'webhook_manage'] as const satisfies Permission[];

export type UsedPermission = Exclude<Permission, (typeof unusedPermissions)[number]>;

/** Who can call an operation. The server, the documentation and the authorization tests all read it. */
export type Access =
  /** No authentication required. */
  | { kind: 'public' }
  /** Any signed-in user, even without a permission. */
  | { kind: 'account' }
  /** A signed-in user with at least one of the permissions above, whichever. Every read of study data requires this. */
  | { kind: 'read' }
  /** A signed-in user with the permission. */
  | { kind: 'permission'; permission: Permission }
  /** The caller's own account, or any account with the permission. Without it, 403 takes precedence over 404. */
  | { kind: 'own_account'; permission: Permission }
  /** The execution's secret, or else a signed-in user with the permission, or with any permission if none is given. */
  | { kind: 'execution'; permission?: Permission };

export const publicAccess: Access = { kind: 'public' };
export const anyAccount: Access = { kind: 'account' };
export const signedIn: Access = { kind: 'read' };
export const needs = (permission: Permission): Access => ({ kind: 'permission', permission });
export const ownAccountOr = (permission: Permission): Access => ({ kind: 'own_account', permission });
export const executionSecretOr = (permission?: Permission): Access =>
  permission === undefined ? { kind: 'execution' } : { kind: 'execution', permission };

/** Who can call an operation, as sentences for its documentation. */
export const describeAccess = ({ access, installationWide, tokens }: Described): string =>
  [
    sentenceOf(access),
    ...(installationWide === true ? ['A role in a single cohort is not enough.'] : []),
    ...(tokens === 'refused' ? ['API tokens are not accepted.'] : []),
    ...(tokens === 'itself' ? ['An API token can revoke itself.'] : []),
  ].join(' ');

interface Described {
  access: Access;
  installationWide?: true;
  tokens?: 'refused' | 'itself';
}

const sentenceOf = (access: Access): string => {
  switch (access.kind) {
    case 'public':
      return 'Requires no authentication.';
    case 'account':
      return 'Requires authentication, but no permission.';
    case 'read':
      return 'Requires at least one permission.';
    case 'permission':
      return `Requires the permission \`${access.permission}\`.`;
    case 'own_account':
      return `Allowed for your own account. Other accounts require the permission \`${access.permission}\`.`;
    case 'execution':
      return access.permission === undefined
        ? 'Requires at least one permission, or the secret of the execution.'
        : `Requires the permission \`${access.permission}\`, or the secret of the execution.`;
    default:
      return access satisfies never;
  }
};
