/** The API of Milepost as data: the table of operations, and the schemas, statuses and permissions that it uses. */
export * from './addresses.ts';
export * from './client.ts';
export * from './listed-rows.ts';
export * from './openapi.ts';
export * from './operation.ts';
export * from './operations.ts';
export * from './permission.ts';
export * from './problem-error.ts';
export * from './problem.ts';
export * from './read-stream.ts';
export { absentIfNull, asJsonSchema, type JsonSchema } from './schema.ts';
export * from './service.ts';
export * from './statuses.ts';
export * as values from './values.ts';
export { Ref } from './values.ts';

export * from './study/cohorts.ts';
export * from './study/external-ids.ts';
export * from './study/external-links.ts';
export * from './study/external-systems.ts';
export * from './study/scans.ts';
export * from './study/subjects.ts';
export * from './study/withdrawal-and-erasure.ts';

export * from './workflows/callbacks.ts';
export * from './workflows/decisions.ts';
export * from './workflows/imports.ts';
export * from './workflows/definitions.ts';
export * from './workflows/workflows.ts';

export * from './experiments/actions.ts';
export * from './experiments/corrections.ts';
export * from './experiments/experiments.ts';
export * from './experiments/follow-ups.ts';
export * from './experiments/notes.ts';
export * from './experiments/state-change.ts';
export * from './experiments/timeline.ts';

export * from './runs/attempts.ts';
export * from './runs/execution-list.ts';
export * from './runs/choices.ts';
export * from './runs/executions.ts';
export * from './runs/incidents.ts';
export * from './runs/retries.ts';
export * from './runs/worker-claims.ts';

export * from './people/cohort-roles.ts';
export * from './people/held-permissions.ts';
export * from './people/password-resets.ts';
export * from './people/people.ts';
export * from './people/sessions.ts';
export * from './people/single-sign-on.ts';
export * from './people/tokens.ts';

export { BulkItem, BulkOperation, BulkRefusal, shownRefusals } from './bulk/bulk-operation.ts';
export * from './bulk/bulk-operations.ts';
export * from './bulk/choices.ts';
export * from './spreadsheets/choices.ts';
export { Import, ImportColumn, ImportFault, ImportLine, SavedMapping } from './spreadsheets/import.ts';
export * from './spreadsheets/imports.ts';

export * from './insights/forecast-needs.ts';
export * from './insights/insight-rows.ts';
export * from './insights/insights.ts';

export * from './record/audit.ts';
export * from './record/audit-entry.ts';
export * from './record/change-kinds.ts';
export * from './record/change-names.ts';
export * from './record/events.ts';
export * from './record/exported-history.ts';
export * from './record/history.ts';

export * from './screens/attention.ts';
export * from './screens/attention-groups.ts';
export * from './screens/counts.ts';
export * from './screens/decisions.ts';
export * from './screens/durations.ts';
export * from './screens/experiment-overview.ts';
export * from './screens/experiment-rows.ts';
export * from './screens/experiment-search.ts';
export * from './screens/cohort-overviews.ts';
export { progressParts } from './screens/progress.ts';
export * from './screens/workflow-overviews.ts';
export * from './screens/user-rows.ts';
export * from './screens/external-system-rows.ts';
export * from './screens/overviews.ts';
export * from './screens/query-completions.ts';
export * from './screens/search.ts';
export * from './screens/state-looks.ts';
export * from './screens/views.ts';
export * from './system/conditions.ts';
export * from './system/system.ts';

export * as queries from './queries/index.ts';

export * from './validation/count-characters.ts';
export * from './validation/fault.ts';
export * from './validation/find-faults.ts';
export * from './validation/formats.ts';
export * from './validation/nearest-name.ts';
export * from './validation/normalise.ts';
