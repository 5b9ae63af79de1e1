/** The interface of Milepost as data: one table of operations, and the schemas, statuses and permissions in it. */
export * from './operation.ts';
export * from './operations.ts';
export * from './permission.ts';
export * from './problem.ts';
export * from './statuses.ts';
export * as values from './values.ts';

export { Action, ActionSummary } from './actions.ts';
export { Callback, CallbackExecution, executionResults, executionStatuses } from './callbacks.ts';
export { Cohort, CohortExternalUrls } from './cohorts.ts';
export { Experiment, ExperimentExternalIds } from './experiments.ts';
export { ExperimentLink, SubjectLink } from './external-links.ts';
export { ExternalSystem } from './external-systems.ts';
export { ImportFinding, WorkflowImport, WorkflowPlan } from './imports.ts';
export { Role, RoleAssignment, RoleSummary, User, UserSummary } from './people.ts';
export { Scan, Scantype } from './scans.ts';
export { ConfigImportResult, TimeoutCheckResult } from './service.ts';
export { StateChangeResult, StateRefusal, TransitionExplanation } from './state-change.ts';
export { Subject, SubjectExternalIds } from './subjects.ts';
export { Ref } from './values.ts';
export { State, Transition } from './workflows.ts';
