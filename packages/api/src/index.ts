/** The interface of Milepost as data: one table of operations, and the schemas, statuses and permissions in it. */
export * from './client.ts';
export * from './openapi.ts';
export * from './operation.ts';
export * from './operations.ts';
export * from './permission.ts';
export * from './problem-error.ts';
export * from './problem.ts';
export * from './statuses.ts';
export * as values from './values.ts';

export { Action, actionOperations, ActionSummary } from './actions.ts';
export { Callback, CallbackExecution, callbackOperations, executionResults, executionStatuses } from './callbacks.ts';
export { Cohort, CohortExternalUrls, cohortOperations } from './cohorts.ts';
export { correctionOperations } from './corrections.ts';
export { Experiment, ExperimentExternalIds, experimentOperations } from './experiments.ts';
export { ExperimentLink, externalLinkOperations, SubjectLink } from './external-links.ts';
export { ExternalSystem, externalSystemOperations } from './external-systems.ts';
export { ImportFinding, WorkflowImport, WorkflowPlan } from './imports.ts';
export { peopleOperations, Role, RoleAssignment, RoleSummary, User, UserSummary } from './people.ts';
export { Scan, scanOperations, Scantype } from './scans.ts';
export { ConfigImportResult, serviceOperations, TimeoutCheckResult } from './service.ts';
export { StateChangeResult, StateRefusal, TransitionExplanation } from './state-change.ts';
export { Subject, SubjectExternalIds, subjectOperations } from './subjects.ts';
export { Ref } from './values.ts';
export { State, Transition, workflowOperations } from './workflows.ts';
