/** Descriptions of the permissions, in the order in which they are listed. */
import type { Permission } from '@milepost/api';

const words: Record<Permission, string> = {
  user_read: 'Read your own account',
  sample_add: 'Add cohorts, subjects, experiments and scans',
  sample_update: 'Change experiments, add notes and external IDs, withdraw subjects',
  sample_delete: 'Delete external IDs, erase subjects',
  sample_state_update: 'Move experiments, retry runs, re-evaluate transitions',
  state_override: 'Correct the state of experiments outside the transitions',
  action_update: 'Change actions, report results of runs',
  upload_data: 'Upload data',
  workflow_manage: 'Import workflows, change callbacks',
  config_manage: 'Import configurations, change external systems',
  service_run: 'Run the timeout check',
  worker_run: 'Run callbacks as a worker',
  audit_read: 'Read and export the history',
  user_read_all: 'Read all users',
  user_add: 'Add users',
  user_update_all: 'Change all users, set their passwords',
  user_delete: 'Deactivate users',
  roles_manage: 'Read, assign and remove roles',
  token_manage: 'List, create and revoke API tokens of all users',
  webhook_manage: 'Manage webhooks',
};

export const allPermissions = Object.keys(words) as Permission[];

const isKnown = (permission: string): permission is Permission => Object.hasOwn(words, permission);

/** A permission of a newer server is shown by its name. */
export const permissionWords = (permission: string): string => (isKnown(permission) ? words[permission] : permission);
