/** Descriptions of the permissions, in the order in which they are listed. */
import { unusedPermissions, type UsedPermission } from '@milepost/api';

const texts: Record<UsedPermission, string> = {
  user_read: 'Read study data',
  sample_add: 'Add cohorts, subjects, experiments and scans',
  sample_update: 'Change experiments, add notes and external IDs, withdraw subjects',
  sample_delete: 'Delete external IDs, erase subjects',
  sample_state_update: 'Move experiments, retry runs, re-evaluate transitions',
  state_override: 'Correct the state of experiments outside the transitions',
  action_update: 'Change actions, report results of runs',
  workflow_manage: 'Import workflows, change callbacks',
  config_manage: 'Import configurations, change external systems',
  service_run: 'Read the state of the installation, run the timeout check',
  worker_run: 'Run callbacks as a worker',
  audit_read: 'Read and export the history',
  user_read_all: 'Read all users',
  user_add: 'Add users',
  user_update_all: 'Change all users, set their passwords',
  user_delete: 'Deactivate users',
  roles_manage: 'Read, assign and remove roles',
  token_manage: 'List, create and revoke API tokens of all users',
};

export const allPermissions = Object.keys(texts) as UsedPermission[];

/** Leaves out permissions that allow nothing but reading, except `user_read`. */
export const shownPermissions = (permissions: readonly string[]): string[] =>
  permissions.filter((one) => !(unusedPermissions as readonly string[]).includes(one));

const isKnown = (permission: string): permission is UsedPermission => Object.hasOwn(texts, permission);

/** A permission of a newer server is shown by its name. */
export const permissionText = (permission: string): string => (isKnown(permission) ? texts[permission] : permission);
