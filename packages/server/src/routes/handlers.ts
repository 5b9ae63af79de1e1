/** The handlers of all operations, and the services that they use. */
import type { operations, OperationName } from '@milepost/api';
import type { CommonServices, Handler, TwoPhaseHandler } from '../http/call.ts';
import { serviceHandlers } from './service.ts';
import { cohortHandlers } from './study/cohorts.ts';
import { externalLinkHandlers } from './study/external-links.ts';
import { externalSystemChangeHandlers, externalSystemHandlers } from './study/external-systems.ts';
import { scanHandlers } from './study/scans.ts';
import { subjectHandlers } from './study/subjects.ts';
import { erasureHandlers } from './study/withdrawal-and-erasure.ts';
import { callbackHandlers } from './workflows/callbacks.ts';
import { importWorkflowHandlers } from './workflows/imports.ts';
import { workflowDefinitionHandlers } from './workflows/definitions.ts';
import { workflowHandlers } from './workflows/workflows.ts';
import { actionHandlers } from './experiments/actions.ts';
import { correctionHandlers } from './experiments/corrections.ts';
import { experimentHandlers } from './experiments/experiments.ts';
import { followUpHandlers } from './experiments/follow-ups.ts';
import { noteHandlers } from './experiments/notes.ts';
import { timelineHandlers } from './experiments/timeline.ts';
import { executionListHandlers } from './runs/execution-list.ts';
import { executionHandlers } from './runs/executions.ts';
import { incidentHandlers } from './runs/incidents.ts';
import { retryHandlers } from './runs/retries.ts';
import { workerClaimHandlers, type ClaimServices } from './runs/worker-claims.ts';
import { cohortRoleHandlers } from './people/cohort-roles.ts';
import { heldPermissionHandlers } from './people/held-permissions.ts';
import { passwordResetHandlers, type ResetServices } from './people/password-resets.ts';
import { peopleHandlers } from './people/people.ts';
import { sessionHandlers, type SessionServices } from './people/sessions.ts';
import { tokenHandlers } from './people/tokens.ts';
import { auditHandlers } from './record/audit.ts';
import { eventHandlers, type EventServices } from './record/events.ts';
import { historyHandlers } from './record/history.ts';
import { attentionHandlers } from './screens/attention.ts';
import { attentionGroupHandlers } from './screens/attention-groups.ts';
import { countHandlers } from './screens/counts.ts';
import { insightHandlers } from './insights/insights.ts';
import { pastCountHandlers } from './insights/past-counts.ts';
import { durationHandlers } from './screens/durations.ts';
import { decisionHandlers } from './screens/experiment-decision.ts';
import { experimentOverviewHandlers } from './screens/experiment-overview.ts';
import { experimentRowHandlers } from './screens/experiment-rows.ts';
import { experimentSearchHandlers } from './screens/experiment-search.ts';
import { cohortOverviewHandlers } from './screens/cohort-overviews.ts';
import { externalSystemRowHandlers } from './screens/external-system-rows.ts';
import { overviewHandlers } from './screens/overviews.ts';
import { queryCompletionHandlers } from './screens/query-completions.ts';
import { searchHandlers } from './screens/search.ts';
import { stateLookHandlers } from './screens/state-looks.ts';
import { workflowOverviewHandlers } from './screens/workflow-overviews.ts';
import { userRowHandlers } from './screens/user-rows.ts';
import { viewHandlers } from './screens/views.ts';
import { bulkOperationHandlers, type BulkServices } from './bulk/bulk-operations.ts';
import { importHandlers } from './spreadsheets/imports.ts';
import { systemHandlers } from './system/system.ts';

/** Created once, in app.ts. Each group of handlers names the services that it uses, and its type gives it no others. */
export interface Services
  extends CommonServices, ClaimServices, SessionServices, ResetServices, EventServices, BulkServices {}

type Table = typeof operations;

export const handlers = {
  ...cohortHandlers,
  ...subjectHandlers,
  ...externalLinkHandlers,
  ...externalSystemHandlers,
  ...externalSystemChangeHandlers,
  ...peopleHandlers,
  ...serviceHandlers,
  ...importWorkflowHandlers,
  ...actionHandlers,
  ...callbackHandlers,
  ...executionHandlers,
  ...executionListHandlers,
  ...historyHandlers,
  ...auditHandlers,
  ...incidentHandlers,
  ...retryHandlers,
  ...workerClaimHandlers,
  ...experimentHandlers,
  ...scanHandlers,
  ...correctionHandlers,
  ...workflowHandlers,
  ...workflowDefinitionHandlers,
  ...experimentRowHandlers,
  ...experimentSearchHandlers,
  ...queryCompletionHandlers,
  ...attentionHandlers,
  ...attentionGroupHandlers,
  ...searchHandlers,
  ...experimentOverviewHandlers,
  ...decisionHandlers,
  ...timelineHandlers,
  ...cohortOverviewHandlers,
  ...workflowOverviewHandlers,
  ...userRowHandlers,
  ...externalSystemRowHandlers,
  ...overviewHandlers,
  ...stateLookHandlers,
  ...viewHandlers,
  ...bulkOperationHandlers,
  ...importHandlers,
  ...noteHandlers,
  ...followUpHandlers,
  ...sessionHandlers,
  ...tokenHandlers,
  ...passwordResetHandlers,
  ...countHandlers,
  ...durationHandlers,
  ...insightHandlers,
  ...pastCountHandlers,
  ...eventHandlers,
  ...erasureHandlers,
  ...cohortRoleHandlers,
  ...heldPermissionHandlers,
  ...systemHandlers,
} satisfies { [N in OperationName]: Handler<Table[N], Services> | TwoPhaseHandler<Table[N], Services> };
