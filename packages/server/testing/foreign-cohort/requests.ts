/**
 * Requests about a study for every operation that a role for cohorts gives access to. Reads include complete lists, pages, and
 * each filter that can refer to a part of a study.
 */
import type { OperationName } from '@milepost/api';
import type { Parts } from '../server.ts';
import { changesOfImports, readsOfImports } from './marked-imports.ts';
import { readsOfInsights } from './insight-requests.ts';
import { protocol, systemName, workflowLabel, type Study } from './marked-study.ts';
import { list, names, shows, unmarked, type Requests, type StudyRequest } from './study-request.ts';

export type { StudyRequest };

export function readsOf(study: Study): Requests {
  return {
    ...readsOfStudyData(study),
    ...readsOfScreens(study),
    ...readsOfSearches(study),
    ...readsOfBulkOperations(study),
    ...readsOfDefinitions(study),
    ...readsOfImports(study.imports),
  };
}

function readsOfStudyData(study: Study): Requests {
  const { cohort, subject, withdrawn, experiment, scan, action, execution } = study;
  const [byCohort, bySubject] = [{ params: { id: cohort.id } }, { params: { id: subject.id } }];
  const byExperiment = { params: { id: experiment.id } };
  const byExecution = { params: { id: execution.id } };
  const labels = { label: cohort.label, subject_label: subject.label, experiment_label: experiment.label };
  const { experiment_label: _of, ...subjectLabels } = labels;
  return {
    listActions: list(),
    getAction: [shows({ params: { id: action.id } })],
    listExperimentActions: [shows(byExperiment)],
    getCallbackExecution: [shows(byExecution), unmarked({ ...byExecution, fields: 'callback{executions}' })],
    listExecutionAttempts: [shows(byExecution)],
    listCallbackExecutions: [
      shows({}),
      shows({ query: { status: 'running' } }),
      shows({ query: { result: 'failed' } }),
      unmarked({ query: { status: 'queued' } }),
    ],
    listCohorts: list(),
    getCohortByLabel: [shows({ params: { label: cohort.label } })],
    getCohort: [shows(byCohort)],
    getCohortExternalUrls: [shows(byCohort)],
    listCohortSubjects: [shows({ params: { label: cohort.label } })],
    getCohortSubject: [shows({ params: subjectLabels })],
    listCohortSubjectExperiments: [shows({ params: subjectLabels })],
    getCohortSubjectExperiment: [shows({ params: labels })],
    listSubjects: [...list(), ...list({ cohort_label: cohort.label })],
    getSubject: [shows(bySubject)],
    getSubjectExternalIds: [shows(bySubject)],
    getErasure: [unmarked({ params: { id: withdrawn.id } })],
    getWithdrawal: [unmarked({ params: { id: withdrawn.id } })],
    listExperiments: [...list(), ...list({ state: 'arrived' }), shows({ query: { scandate: '2026-02-17' } })].concat(
      list({ subject_id: subject.id }).slice(0, 2),
      ...list({ cohort_label: cohort.label }),
      ...list({ workflow_label: workflowLabel }),
      shows({ query: { label: experiment.label } }),
    ),
    getExperiment: [shows(byExperiment)],
    getExperimentExternalIds: [shows(byExperiment)],
    getExperimentState: [unmarked(byExperiment)],
    getExperimentTransitions: [unmarked(byExperiment)],
    listExternalExperimentLinks: list(),
    getExternalExperimentLink: [shows({ params: { id: study.experimentLink.id } })],
    listExternalSubjectLinks: list(),
    getExternalSubjectLink: [shows({ params: { id: study.subjectLink.id } })],
    listScans: list(),
    getScan: [shows({ params: { id: scan.id } })],
    listNotes: [shows(byExperiment)],
    listExperimentHistory: [shows(byExperiment)],
  };
}

const readsOfSearches = ({ mark, view }: Study): Requests => ({
  listViews: [...list(), shows({ query: { after: 0 } })].filter(({ parts }) => parts.query?.['limit'] !== 5000),
  getView: [shows({ params: { id: view.id } })],
  getViewCounts: [unmarked({})],
  searchExperiments: [
    shows({ query: { q: `"${mark}"`, limit: 200 } }),
    shows({ query: { q: `"${mark}"`, sort: '-changed' } }),
    unmarked({ query: { q: 'incident:any', sort: 'label' } }),
    unmarked({ query: { q: '' } }),
  ],
  getQueryCompletions: [
    shows({ query: { of: 'cohort' } }),
    shows({ query: { of: 'cohort', text: mark.slice(1) } }),
    shows({ query: { of: 'var' } }),
    shows({ query: { of: 'var', key: 'site' } }),
    shows({ query: { of: 'var', key: 'site', text: mark } }),
    shows({ query: { of: 'var', key: `${mark} variable` } }),
    ...['state', 'workflow', 'external', 'assigned'].map((of) => unmarked({ query: { of } })),
  ],
  search: [shows({ query: { q: mark } }), shows({ query: { q: mark.slice(0, 1) } })],
});

const readsOfBulkOperations = ({ bulk, refusedBulk }: Study): Requests => ({
  listBulkOperations: [shows({}), shows({ query: { limit: 1000 } }), unmarked({ query: { own: true, limit: 1 } })],
  getBulkOperation: [shows({ params: { id: bulk.id } }), shows({ params: { id: refusedBulk.id } })],
  listBulkItems: [
    shows({ params: { id: bulk.id } }),
    shows({ params: { id: bulk.id }, query: { result: 'ready' } }),
    shows({ params: { id: refusedBulk.id }, query: { refusal: 1 } }),
    unmarked({ params: { id: refusedBulk.id }, query: { offset: 1 } }),
  ],
});

const rows = (query: Parts['query']) => shows({ query: { ...query, limit: 1000 } });

function readsOfScreens({ mark, cohort, subject, experiment, workflow, arrived, action, execution }: Study): Requests {
  const byExperiment = { params: { id: experiment.id } };
  // From this id, one page includes rows of both studies.
  const middle = { after: 700 };
  return {
    listIncidents: [
      unmarked({ query: { state: 'all' } }),
      shows({ query: { kind: 'failed' } }),
      names({ experiment_id: experiment.id }),
    ],
    listExperimentRows: [
      rows(middle),
      rows({ ...middle, workflow_id: workflow.id }),
      rows({ ...middle, state_id: arrived.id }),
      names({ cohort_id: cohort.id, limit: 1000 }),
      names({ subject_id: subject.id }),
      rows({ label: mark }),
      rows({ incident: 'any' }),
      names({ incident: 'failed', cohort_id: cohort.id }),
      unmarked({ query: { status: 'waiting' } }),
    ],
    listAttention: [
      shows({}),
      shows({ query: { kind: 'failed' } }),
      shows({ query: { assignee: 'nobody' } }),
      names({ cohort_id: cohort.id }),
    ],
    getAssignees: [unmarked({ params: { id: cohort.id } })],
    getAttentionGroups: [shows({}), names({ cohort_id: cohort.id })],
    getExperimentTimeline: [shows(byExperiment)],
    getExperimentOverview: [shows(byExperiment)],
    getExperimentDecision: [unmarked(byExperiment)],
    getCohortMatrix: [shows({ params: { id: cohort.id } })],
    getCohortSummary: [shows({ params: { id: cohort.id } })],
    listCohortRows: [shows({})],
    listWorkflowRows: [unmarked({})],
    getWorkflowCounts: [
      unmarked({ params: { id: workflow.id } }),
      {
        ...names({ cohort_id: cohort.id }, false),
        parts: { params: { id: workflow.id }, query: { cohort_id: cohort.id } },
      },
    ],
    getWorkflowDurations: [shows({ params: { workflow_label: workflow.label } })],
    ...readsOfInsights(workflow.id, cohort.id),
    listAudit: [
      shows({ query: { limit: 1000 } }),
      names({ cohort_id: cohort.id }),
      names({ subject_id: subject.id }),
      names({ experiment_id: experiment.id }),
      names({ object_kind: 'action', object_id: action.id }),
      names({ object_kind: 'callback_execution', object_id: execution.id }, false),
      unmarked({ query: { actor: 1, limit: 1000 } }),
      unmarked({ query: { operation: 'addNote' } }),
    ],
  };
}

/** Definitions are shared, so only lists of rows belong to a study. */
function readsOfDefinitions({ workflow, arrived, checked, callback }: Study): Requests {
  const byState = { params: { workflow_label: workflowLabel, state_label: arrived.label } };
  return {
    listStateExperiments: [shows({ params: { id: arrived.id } }), shows({ params: { id: checked.id } })],
    getState: [shows({ params: { id: arrived.id } })],
    getWorkflowState: [shows(byState)],
    getCallback: [unmarked({ params: { id: callback.id } })],
    listCallbacks: [unmarked({})],
    listStates: [unmarked({})],
    listTransitions: [unmarked({})],
    getTransition: [unmarked({ params: { id: 1 } })],
    listWorkflows: [unmarked({})],
    getWorkflow: [unmarked({ params: { id: workflow.id } })],
    getWorkflowByLabel: [unmarked({ params: { label: workflowLabel } })],
    listWorkflowStates: [unmarked({ params: { workflow_label: workflowLabel } })],
    getWorkflowDefinition: [unmarked({ params: { workflow_label: workflowLabel } })],
    listWorkflowRevisions: [unmarked({ params: { workflow_label: workflowLabel } })],
    getWorkflowGraph: [unmarked({ params: { id: workflow.id } })],
    getStateLooks: [unmarked({})],
    listExternalSystems: [unmarked({})],
    listExternalSystemRows: [unmarked({})],
    getExternalSystem: [unmarked({ params: { id: 1 } })],
    getExternalSystemByName: [unmarked({ params: { system_name: systemName } })],
    listScantypes: [unmarked({})],
    getScantype: [unmarked({ params: { id: 1 } })],
  };
}

/** In an order in which each succeeds for users with access. */
export function writesOf(study: Study): [OperationName, Parts][] {
  return [
    ...runs(study),
    ...corrections(study),
    ...additions(study),
    ...bulkChanges(study),
    ...changesOfImports(study.imports),
    ...removals(study),
  ];
}

function corrections({ cohort, subject, experiment, action }: Study): [OperationName, Parts][] {
  const [byCohort, bySubject] = [{ id: cohort.id }, { id: subject.id }];
  const [byExperiment, bySystem] = [{ id: experiment.id }, { system_name: systemName }];
  const reason = 'again';
  return [
    ['updateCohort', { params: byCohort, body: { description: 'changed' } }],
    ['addCohortExternalUrls', { params: byCohort, body: { external_urls: { [systemName]: 'https://x.org/new' } } }],
    ['setCohortExternalUrl', { params: { ...byCohort, ...bySystem }, body: { external_url: 'https://x.org/newer' } }],
    ['updateSubject', { params: bySubject, body: { date_of_birth: '1950-01-01' } }],
    ['addSubjectExternalIds', { params: bySubject, body: { external_ids: { [systemName]: 'S1' } } }],
    ['setSubjectExternalId', { params: { ...bySubject, ...bySystem }, body: { external_id: 'S2' } }],
    ['updateExperiment', { params: byExperiment, body: { scandate: '2026-02-18' } }],
    ['addExperimentExternalIds', { params: byExperiment, body: { external_ids: { [systemName]: 'E1' } } }],
    ['setExperimentExternalId', { params: { ...byExperiment, ...bySystem }, body: { external_id: 'E2' } }],
    ['updateAction', { params: { id: action.id }, body: { return_value: 'changed' } }],
    ['placeExperiment', { params: byExperiment, body: { state: 'arrived', reason } }],
    ['setExperimentState', { params: byExperiment, body: { state_label: 'checked' } }],
  ];
}

function additions({ cohort, subject, experiment }: Study): [OperationName, Parts][] {
  const byExperiment = { id: experiment.id };
  const link = { external_id: 'new', external_system: systemName };
  return [
    ['addNote', { params: byExperiment, body: { text: 'new' } }],
    ['assignExperiment', { params: byExperiment, body: { user_id: null } }],
    ['snoozeExperiment', { params: byExperiment, body: { until: '2999-01-01T00:00:00Z' } }],
    ['setExperimentVariable', { params: { ...byExperiment, name: 'new' }, body: { value: 1, reason: 'again' } }],
    ['createView', { body: { name: 'new', query: '', cohort_id: cohort.id } }],
    ['createScan', { body: { experiment_id: experiment.id, scantype_protocol: protocol } }],
    ['createSubject', { body: { label: 'new', cohort_label: cohort.label } }],
    ['createExperiment', { body: { label: 'new', subject_id: subject.id, workflow_label: workflowLabel } }],
    ['createExperiment', { body: { label: 'newer', subject_label: subject.label, cohort_label: cohort.label } }],
    ['replaceExternalExperimentLink', { body: { ...link, experiment: experiment.id } }],
    ['replaceExternalExperimentLink', { body: { ...link, experiment: experiment.label } }],
    ['replaceExternalSubjectLink', { body: { ...link, subject_id: subject.id } }],
  ];
}

function bulkChanges({ bulk, refusedBulk }: Study): [OperationName, Parts][] {
  const params = { id: bulk.id };
  return [
    ['createBulkOperation', { body: { kind: 'retry', refused_of: refusedBulk.id, reason: 'again' } }],
    ['applyBulkOperation', { params, body: { reason: 'again' } }],
    ['pauseBulkOperation', { params }],
    ['resumeBulkOperation', { params }],
    ['stopBulkOperation', { params }],
  ];
}

function removals({ subject, withdrawn, experiment, cohort, erasure, view }: Study): [OperationName, Parts][] {
  const bySystem = { system_name: systemName };
  const link = { external_id: 'new', external_system: systemName };
  return [
    ['deleteCohortExternalUrl', { params: { id: cohort.id, ...bySystem } }],
    ['deleteSubjectExternalId', { params: { id: subject.id, ...bySystem } }],
    ['deleteExperimentExternalId', { params: { id: experiment.id, ...bySystem } }],
    ['updateView', { params: { id: view.id }, body: { query: '' } }],
    ['deleteView', { params: { id: view.id } }],
    ['createExternalSubjectLink', { body: { ...link, subject_id: subject.id } }],
    ['createExternalExperimentLink', { body: { ...link, experiment: experiment.id } }],
    ['requestErasure', { params: { id: withdrawn.id }, body: { reason: 'again' } }],
    ['eraseSubject', { params: { id: withdrawn.id }, body: { erasure_id: erasure.id, label: withdrawn.label } }],
    ['withdrawSubject', { params: { id: subject.id }, body: { reason: 'again', date: '2026-03-01' } }],
  ];
}

function runs({ experiment, second, open, execution }: Study): [OperationName, Parts][] {
  const body = { reason: 'again' };
  const failed = { status: 'finished', result: 'failed' };
  return [
    ['evaluateExperiment', { params: { id: experiment.id }, body }],
    ['retryCallbackExecution', { params: { id: execution.id }, body }],
    ['updateCallbackExecution', { params: { id: open.id }, body: failed }],
    ['retryExperiment', { params: { id: second.id }, body }],
  ];
}
