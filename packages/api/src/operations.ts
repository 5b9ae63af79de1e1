/** All operations by section: first the specified ones, in the order of the specification, then our additions. */
import { serviceOperations } from './service.ts';
import { keysOf } from './typed-keys.ts';
import { cohortOperations } from './study/cohorts.ts';
import { externalLinkOperations } from './study/external-links.ts';
import { externalSystemChangeOperations, externalSystemOperations } from './study/external-systems.ts';
import { scanOperations } from './study/scans.ts';
import { subjectOperations } from './study/subjects.ts';
import { erasureOperations } from './study/withdrawal-and-erasure.ts';
import { callbackOperations } from './workflows/callbacks.ts';
import { workflowDefinitionOperations } from './workflows/definitions.ts';
import { workflowOperations } from './workflows/workflows.ts';
import { actionOperations } from './experiments/actions.ts';
import { correctionOperations } from './experiments/corrections.ts';
import { experimentOperations } from './experiments/experiments.ts';
import { followUpOperations } from './experiments/follow-ups.ts';
import { noteOperations } from './experiments/notes.ts';
import { timelineOperations } from './experiments/timeline.ts';
import { attemptOperations } from './runs/attempts.ts';
import { executionListOperations } from './runs/execution-list.ts';
import { executionOperations } from './runs/executions.ts';
import { incidentOperations } from './runs/incidents.ts';
import { retryOperations } from './runs/retries.ts';
import { workerClaimOperations } from './runs/worker-claims.ts';
import { cohortRoleOperations } from './people/cohort-roles.ts';
import { heldPermissionOperations } from './people/held-permissions.ts';
import { passwordResetOperations } from './people/password-resets.ts';
import { peopleOperations } from './people/people.ts';
import { sessionOperations } from './people/sessions.ts';
import { tokenOperations } from './people/tokens.ts';
import { insightOperations } from './insights/insights.ts';
import { bulkOperationOperations } from './bulk/bulk-operations.ts';
import { importOperations } from './spreadsheets/imports.ts';
import { auditOperations } from './record/audit.ts';
import { eventOperations } from './record/events.ts';
import { historyOperations } from './record/history.ts';
import { attentionOperations } from './screens/attention.ts';
import { attentionGroupOperations } from './screens/attention-groups.ts';
import { countOperations } from './screens/counts.ts';
import { decisionOperations } from './screens/decisions.ts';
import { durationOperations } from './screens/durations.ts';
import { experimentOverviewOperations } from './screens/experiment-overview.ts';
import { experimentRowOperations } from './screens/experiment-rows.ts';
import { experimentSearchOperations } from './screens/experiment-search.ts';
import { cohortOverviewOperations } from './screens/cohort-overviews.ts';
import { externalSystemRowOperations } from './screens/external-system-rows.ts';
import { overviewOperations } from './screens/overviews.ts';
import { queryCompletionOperations } from './screens/query-completions.ts';
import { searchOperations } from './screens/search.ts';
import { stateLookOperations } from './screens/state-looks.ts';
import { workflowOverviewOperations } from './screens/workflow-overviews.ts';
import { userRowOperations } from './screens/user-rows.ts';
import { viewOperations } from './screens/views.ts';
import { systemOperations } from './system/system.ts';

export const sections = {
  Actions: actionOperations,
  'Callback executions and callbacks': { ...executionOperations, ...callbackOperations },
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
  'Execution list': executionListOperations,
  Incidents: incidentOperations,
  'Retry and re-evaluate': retryOperations,
  'Pulling workers': workerClaimOperations,
  'Page data': {
    ...experimentRowOperations,
    ...experimentSearchOperations,
    ...queryCompletionOperations,
    ...attentionOperations,
    ...attentionGroupOperations,
    ...searchOperations,
    ...timelineOperations,
    ...experimentOverviewOperations,
    ...decisionOperations,
    ...cohortOverviewOperations,
    ...workflowOverviewOperations,
    ...externalSystemRowOperations,
    ...overviewOperations,
    ...stateLookOperations,
    ...userRowOperations,
  },
  'Saved views': viewOperations,
  'Bulk operations': bulkOperationOperations,
  'Spreadsheet imports': importOperations,
  'Workflow definitions': workflowDefinitionOperations,
  Notes: noteOperations,
  'Follow-ups': followUpOperations,
  Sessions: sessionOperations,
  'Sign-in options and password resets': passwordResetOperations,
  'API tokens': tokenOperations,
  'State counts': countOperations,
  'Time in state': durationOperations,
  Insights: insightOperations,
  Events: eventOperations,
  History: historyOperations,
  'Withdrawal and erasure': erasureOperations,
  'Audit log': auditOperations,
  'Cohort roles': cohortRoleOperations,
  'Permissions of roles and users': heldPermissionOperations,
  System: systemOperations,
};

type Merged<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void
  ? { [N in keyof I]: I[N] }
  : never;

/** By name, in the order of the sections. */
export const operations = Object.assign({}, ...Object.values(sections)) as Merged<
  (typeof sections)[keyof typeof sections]
>;

export type OperationName = keyof typeof operations;

export const operationNames = keysOf(operations);
