/** All operations: first the specified ones, in the order of the specification, then our additions. */
import { actionOperations } from './actions.ts';
import { attemptOperations } from './attempts.ts';
import { attentionOperations } from './attention.ts';
import { auditOperations } from './audit.ts';
import { callbackOperations } from './callbacks.ts';
import { cohortRoleOperations } from './cohort-roles.ts';
import { cohortOperations } from './cohorts.ts';
import { correctionOperations } from './corrections.ts';
import { experimentOverviewOperations } from './experiment-overview.ts';
import { experimentRowOperations } from './experiment-rows.ts';
import { countOperations } from './counts.ts';
import { eventOperations } from './events.ts';
import { experimentOperations } from './experiments.ts';
import { erasureOperations } from './erasures.ts';
import { externalLinkOperations } from './external-links.ts';
import { externalSystemChangeOperations, externalSystemOperations } from './external-systems.ts';
import { historyOperations } from './history.ts';
import { incidentOperations } from './incidents.ts';
import { noteOperations } from './notes.ts';
import { overviewOperations } from './overviews.ts';
import { passwordResetOperations } from './password-resets.ts';
import { peopleOperations } from './people.ts';
import { keysOf } from './records.ts';
import { retryOperations } from './retries.ts';
import { scanOperations } from './scans.ts';
import { searchOperations } from './search.ts';
import { serviceOperations } from './service.ts';
import { sessionOperations } from './sessions.ts';
import { subjectOperations } from './subjects.ts';
import { timelineOperations } from './timeline.ts';
import { tokenOperations } from './tokens.ts';
import { workerClaimOperations } from './worker-claims.ts';
import { workflowOperations } from './workflows.ts';

export const sections = {
  Actions: actionOperations,
  'Callback executions and callbacks': callbackOperations,
  Cohorts: cohortOperations,
  Subjects: subjectOperations,
  Experiments: experimentOperations,
  'External links': externalLinkOperations,
  'External systems': externalSystemOperations,
  'Roles, users': peopleOperations,
  'Scans and scan types': scanOperations,
  'States, transitions, workflows': workflowOperations,
  'Service operations': serviceOperations,
  'Transitions and corrections': correctionOperations,
  'External system changes': externalSystemChangeOperations,
  Attempts: attemptOperations,
  Incidents: incidentOperations,
  'Retry and re-evaluate': retryOperations,
  'Pulling workers': workerClaimOperations,
  'Page data': {
    ...experimentRowOperations,
    ...attentionOperations,
    ...searchOperations,
    ...timelineOperations,
    ...experimentOverviewOperations,
    ...overviewOperations,
  },
  Notes: noteOperations,
  Sessions: sessionOperations,
  'Sign-in options and password resets': passwordResetOperations,
  'API tokens': tokenOperations,
  'State counts': countOperations,
  Events: eventOperations,
  History: historyOperations,
  'Withdrawal and erasure': erasureOperations,
  'Audit log': auditOperations,
  'Cohort roles': cohortRoleOperations,
};

export const operations = {
  ...actionOperations,
  ...callbackOperations,
  ...cohortOperations,
  ...subjectOperations,
  ...experimentOperations,
  ...externalLinkOperations,
  ...externalSystemOperations,
  ...peopleOperations,
  ...scanOperations,
  ...workflowOperations,
  ...serviceOperations,
  ...correctionOperations,
  ...externalSystemChangeOperations,
  ...attemptOperations,
  ...incidentOperations,
  ...retryOperations,
  ...workerClaimOperations,
  ...experimentRowOperations,
  ...attentionOperations,
  ...searchOperations,
  ...timelineOperations,
  ...experimentOverviewOperations,
  ...overviewOperations,
  ...noteOperations,
  ...sessionOperations,
  ...passwordResetOperations,
  ...tokenOperations,
  ...countOperations,
  ...eventOperations,
  ...historyOperations,
  ...erasureOperations,
  ...auditOperations,
  ...cohortRoleOperations,
};

export type OperationName = keyof typeof operations;

export const operationNames = keysOf(operations);
