/** The API of Milepost as data: the table of operations, and the schemas, statuses and permissions that it uses. */
export * from './addresses.ts';
export * from './callers.ts';
export * from './client.ts';
export * from './event-stream.ts';
export * from './openapi.ts';
export * from './operation.ts';
export * from './operations.ts';
export * from './permission.ts';
export * from './problem-error.ts';
export * from './problem.ts';
export * from './single-sign-on.ts';
export * from './statuses.ts';
export * as values from './values.ts';

export { Action, actionOperations, ActionSummary } from './actions.ts';
export { attemptOperations, ExecutionAttempt } from './attempts.ts';
export { AttentionCounts, AttentionItem, attentionKinds, attentionOperations } from './attention.ts';
export { auditedKinds, AuditEntry, auditOperations, ShownCheckpoint } from './audit.ts';
export { Callback, CallbackExecution, callbackOperations, executionResults, executionStatuses } from './callbacks.ts';
export { CohortRoleAssignment, cohortRoleOperations, HeldRole } from './cohort-roles.ts';
export { Cohort, CohortExternalUrls, cohortOperations } from './cohorts.ts';
export { correctionOperations } from './corrections.ts';
export { ExperimentOverview, experimentOverviewOperations } from './experiment-overview.ts';
export { ExperimentRow, experimentRowOperations, openStatuses } from './experiment-rows.ts';
export { countOperations, StateCounts, WorkflowCounts } from './counts.ts';
export { eventOperations, StreamedEvent } from './events.ts';
export { Erasure, erasureOperations } from './erasures.ts';
export { Experiment, ExperimentExternalIds, experimentOperations } from './experiments.ts';
export { ExperimentLink, externalLinkOperations, SubjectLink } from './external-links.ts';
export { ExternalSystem, externalSystemChangeOperations, externalSystemOperations } from './external-systems.ts';
export { ImportFinding, WorkflowImport, WorkflowPlan } from './imports.ts';
export { HistoryEntry, historyOperations } from './history.ts';
export { Incident, incidentKinds, incidentOperations, incidentStates } from './incidents.ts';
export { Note, noteOperations } from './notes.ts';
export { MatrixSubject, overviewOperations, WorkflowGraph } from './overviews.ts';
export { passwordResetOperations, resetRequested, SignInWays } from './password-resets.ts';
export {
  peopleOperations,
  recentSignInMinutes,
  Role,
  RoleAssignment,
  RoleSummary,
  User,
  UserSummary,
} from './people.ts';
export { retryOperations } from './retries.ts';
export { Scan, scanOperations, Scantype } from './scans.ts';
export { searchOperations, SearchResult } from './search.ts';
export { ConfigImportResult, serviceOperations, TimeoutCheckResult } from './service.ts';
export { Session, sessionCookie, sessionOperations, SessionSummary } from './sessions.ts';
export { StateChangeResult, StateRefusal, TransitionExplanation } from './state-change.ts';
export { Subject, SubjectExternalIds, subjectOperations } from './subjects.ts';
export { actionKinds, TimelineAction, TimelineExecution, timelineOperations } from './timeline.ts';
export { ApiToken, CreatedApiToken, maxTokenDays, maxTokens, tokenOperations, tokenPrefix } from './tokens.ts';
export { Ref } from './values.ts';
export { Claim, ClaimRenewal, workerClaimOperations } from './worker-claims.ts';
export { State, Transition, workflowOperations } from './workflows.ts';
