/** The cases of all sections. */
import { actionCases } from './actions.ts';
import { attemptCases, executionListCases } from './attempts.ts';
import { attentionCases, attentionGroupCases, decisionCases } from './attention.ts';
import { auditCases } from './audit.ts';
import { bulkOperationCases } from './bulk-operations.ts';
import { callbackCases } from './callbacks.ts';
import { cohortRoleCases } from './cohort-roles.ts';
import { cohortOverviewCases } from './cohort-overviews.ts';
import { workflowOverviewCases } from './workflow-overviews.ts';
import { externalSystemRowCases } from './external-system-rows.ts';
import { cohortCases } from './cohorts.ts';
import { correctionCases } from './corrections.ts';
import { countCases } from './counts.ts';
import { durationCases } from './durations.ts';
import { insightCases } from './insights.ts';
import { erasureCases } from './erasures.ts';
import { eventCases } from './events.ts';
import { experimentCases } from './experiments.ts';
import { externalLinkCases } from './external-links.ts';
import { externalSystemCases, externalSystemChangeCases } from './external-systems.ts';
import { heldPermissionCases } from './held-permissions.ts';
import { historyCases } from './history.ts';
import { importCases } from './imports.ts';
import { incidentCases } from './incidents.ts';
import type { Matrix } from './matrix.ts';
import { followUpCases } from './follow-ups.ts';
import { noteCases } from './notes.ts';
import { passwordResetCases } from './password-resets.ts';
import { peopleCases } from './people.ts';
import { reportCases } from './reports.ts';
import { scanCases } from './scans.ts';
import {
  experimentOverviewCases,
  experimentRowCases,
  experimentSearchCases,
  overviewCases,
  queryCompletionCases,
  searchCases,
  stateLookCases,
  timelineCases,
} from './screens.ts';
import { serviceCases } from './service.ts';
import { sessionCases } from './sessions.ts';
import { subjectCases } from './subjects.ts';
import { systemCases } from './system.ts';
import { tokenCases } from './tokens.ts';
import { userRowCases } from './user-rows.ts';
import { viewCases } from './views.ts';
import { workflowCases, workflowDefinitionCases } from './workflows.ts';

export const wholeMatrix: Matrix = {
  ...actionCases,
  ...callbackCases,
  ...attemptCases,
  ...executionListCases,
  ...incidentCases,
  ...reportCases,
  ...cohortCases,
  ...subjectCases,
  ...experimentCases,
  ...scanCases,
  ...externalLinkCases,
  ...externalSystemCases,
  ...externalSystemChangeCases,
  ...peopleCases,
  ...workflowCases,
  ...workflowDefinitionCases,
  ...serviceCases,
  ...correctionCases,
  ...experimentRowCases,
  ...experimentSearchCases,
  ...queryCompletionCases,
  ...attentionCases,
  ...attentionGroupCases,
  ...searchCases,
  ...timelineCases,
  ...experimentOverviewCases,
  ...decisionCases,
  ...cohortOverviewCases,
  ...workflowOverviewCases,
  ...userRowCases,
  ...externalSystemRowCases,
  ...overviewCases,
  ...stateLookCases,
  ...viewCases,
  ...bulkOperationCases,
  ...importCases,
  ...noteCases,
  ...followUpCases,
  ...historyCases,
  ...auditCases,
  ...sessionCases,
  ...tokenCases,
  ...passwordResetCases,
  ...countCases,
  ...durationCases,
  ...insightCases,
  ...eventCases,
  ...erasureCases,
  ...cohortRoleCases,
  ...heldPermissionCases,
  ...systemCases,
};
