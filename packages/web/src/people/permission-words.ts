/** What each permission lets somebody do, in words, and in the order in which people read them. */
import type { Permission } from '@milepost/api';

const words: Record<Permission, string> = {
  user_read: 'Read one’s own account',
  sample_add: 'Add cohorts, subjects, experiments and scans',
  sample_update: 'Change experiments, add notes and ids of other systems, withdraw subjects',
  sample_delete: 'Delete ids of other systems, and erase subjects',
  sample_state_update: 'Move experiments, and retry what failed',
  state_override: 'Put an experiment into any state, past the rules of its workflow',
  action_update: 'Report how actions and callback executions ended',
  upload_data: 'Upload data',
  workflow_manage: 'Import and change workflows',
  config_manage: 'Import configurations, and change external systems',
  service_run: 'Start the periodic check for timeouts',
  worker_run: 'Run callbacks, as a worker does',
  audit_read: 'Read and export the history of everything',
  user_read_all: 'See all users',
  user_add: 'Add users',
  user_update_all: 'Change all users, and set their passwords',
  user_delete: 'Deactivate users',
  roles_manage: 'See roles, give them and take them',
  token_manage: 'See, create and revoke the tokens of all users',
  webhook_manage: 'Manage webhooks',
};

export const allPermissions = Object.keys(words) as Permission[];

const isKnown = (permission: string): permission is Permission => Object.hasOwn(words, permission);

/** One that a later server has and this page does not know goes by its name. */
export const permissionWords = (permission: string): string => (isKnown(permission) ? words[permission] : permission);
