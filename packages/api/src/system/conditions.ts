/** What can keep the whole installation from working fully, the worst first. */
export const conditions = [
  'database_unreachable',
  'database_read_only',
  'no_worker',
  'queue_blocked',
  'checkpoints_overdue',
] as const;

export type Condition = (typeof conditions)[number];

/** The response header that lists them, separated by commas. It is absent if there are none. */
export const degradedHeader = 'milepost-degraded';
