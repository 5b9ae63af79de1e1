/** The statuses and results of executions and the kinds of incidents, without schemas, so that pages can use them. */
export const openStatuses = ['created', 'queued', 'running', 'waiting'] as const;
export const executionStatuses = [...openStatuses, 'finished', 'skipped'] as const;
export const executionResults = ['none', 'success', 'failed', 'timeout'] as const;
export const incidentKinds = ['brake', 'unclaimed', 'failed', 'timed_out', 'no_way_on'] as const;
