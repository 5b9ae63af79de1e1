/** The choices of bulk operations, without schemas, for pages. */
import type { Permission } from '../permission.ts';

export const bulkKinds = ['move', 'retry', 'evaluate', 'place', 'set_variables', 'assign', 'note'] as const;
export type BulkKind = (typeof bulkKinds)[number];

/** Each kind needs the permission of the operation for one experiment. */
export const bulkPermissions: Record<BulkKind, Permission> = {
  move: 'sample_state_update',
  retry: 'sample_state_update',
  evaluate: 'sample_state_update',
  place: 'state_override',
  set_variables: 'sample_update',
  assign: 'sample_update',
  note: 'sample_update',
};

export const maxBulkExperiments = 200_000;

export const bulkStatuses = ['checking', 'checked', 'running', 'paused', 'finished', 'stopped'] as const;
export type BulkStatus = (typeof bulkStatuses)[number];

export const bulkResults = ['ready', 'done', 'refused'] as const;
export type BulkResult = (typeof bulkResults)[number];
