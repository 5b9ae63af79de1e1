import type {
  experimentOverviewOperations,
  experimentRowOperations,
  experimentSearchOperations,
  overviewOperations,
  queryCompletionOperations,
  searchOperations,
  stateLookOperations,
  timelineOperations,
} from '@milepost/api';
import { failed } from './attention.ts';

import { found, invalid, missingParts, noSuchId, unknownParameter, invalidPaging } from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { Labelled, World } from './world.ts';

const ref = (collection: string, { id, label }: Labelled) => ({ id, label, uri: `/api/v2/${collection}/${id}` });
const byExperiment = async (world: World) => ({ id: (await world.experiment()).id });

export const experimentRowCases: SectionCases<typeof experimentRowOperations> = {
  listExperimentRows: {
    success: {
      'returns an experiment of a subject with its state, incidents and executions': async (world) => {
        const { executionId, experiment, incidentId } = await failed(world);
        const { workflow, subjectId, id, label } = experiment;
        const row = {
          ...ref('experiments', { id, label }),
          scandate: null,
          subject: { id: subjectId },
          workflow: ref('workflows', workflow),
          state: { id: workflow.states['checked'], label: 'checked' },
          incidents: [{ id: incidentId, kind: 'failed', detail: 'check did not succeed.', execution_id: executionId }],
          executions: [{ id: executionId, callback: 'check', status: 'finished', result: 'failed', attempt: 5 }],
        };
        return found({ query: { subject_id: subjectId } }, { experiments: [row] });
      },
      'combines all filters': async (world) => {
        const { experiment } = await failed(world);
        const { workflow, subjectId, id, label } = experiment;
        const state_id = workflow.states['checked'] ?? 0;
        const query = { workflow_id: workflow.id, state_id, subject_id: subjectId, label: label.toUpperCase() };
        return found({ query: { ...query, incident: 'failed' } }, { experiments: [{ id }] });
      },
    },
    validation: {
      ...invalidPaging(),
      'rejects an unknown kind of incident': () => invalid({ query: { incident: 'fire' } }, '?incident'),
      'rejects a status that is not open': () => invalid({ query: { status: 'finished' } }, '?status'),
      'rejects an empty label prefix': () => invalid({ query: { label: '' } }, '?label'),
    },
    'missing reference': {
      'rejects an unknown state and workflow': () =>
        invalid({ query: { workflow_id: noSuchId, state_id: noSuchId } }, '?workflow_id', '?state_id'),
      'rejects an unknown cohort': () => invalid({ query: { cohort_id: noSuchId } }, '?cohort_id'),
      'rejects an unknown subject': () => invalid({ query: { subject_id: noSuchId } }, '?subject_id'),
    },
    conflict: readsOnly,
  },
};

export const experimentSearchCases: SectionCases<typeof experimentSearchOperations> = {
  searchExperiments: {
    success: {
      'finds an experiment by a part of its label': async (world) => {
        const { id, label, subjectId, workflow } = await world.experiment();
        const shown = {
          ...ref('experiments', { id, label }),
          subject: { id: subjectId },
          workflow: ref('workflows', workflow),
        };
        return found({ query: { q: `"${label.slice(1)}" id:${id}` } }, { experiments: [shown], more: false });
      },
    },
    validation: {
      'rejects an unknown filter': () => invalid({ query: { q: 'stat:done' } }, '?q'),
      'rejects an unknown order': () => invalid({ query: { sort: 'size' } }, '?sort'),
      'rejects a limit above 200': () => invalid({ query: { limit: 201 } }, '?limit'),
    },
    'missing reference': {
      'rejects a state that does not exist': () => invalid({ query: { q: 'state:nowhere-at-all' } }, '?q'),
    },
    conflict: readsOnly,
  },
};

export const queryCompletionCases: SectionCases<typeof queryCompletionOperations> = {
  getQueryCompletions: {
    success: {
      'completes the label of a workflow from a part of it': async (world) => {
        const { label } = await world.workflow();
        const query = { of: 'workflow', text: label.slice(1).toUpperCase() };
        return found({ query }, { completions: [{ text: label, detail: null }] });
      },
    },
    validation: {
      'rejects a name that is not completed': () => invalid({ query: { of: 'label' } }, '?of'),
      'rejects a key for a name without keys': () => invalid({ query: { of: 'state', key: 'x' } }, '?key'),
      'rejects a text of 256 characters': () => invalid({ query: { of: 'state', text: 'x'.repeat(256) } }, '?text'),
    },
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
};

export const searchCases: SectionCases<typeof searchOperations> = {
  search: {
    success: {
      'finds an experiment by its label in upper case': async (world) => {
        const { id, label, workflow, subjectId } = await world.experiment();
        const state = { id: workflow.states['arrived'], label: 'arrived' };
        const experiment = { ...ref('experiments', { id, label }), subject: { id: subjectId }, state };
        const nothing = { subjects: [], cohorts: [], states: [] };
        return found({ query: { q: label.toUpperCase(), limit: 1 } }, { experiments: [experiment], ...nothing });
      },
      'finds a subject and returns its cohort': async (world) => {
        const { cohort, ...subject } = await world.subject();
        const shown = { ...ref('subjects', subject), cohort: ref('cohorts', cohort) };
        return found({ query: { q: subject.label } }, { subjects: [shown] });
      },
    },
    validation: {
      'rejects a missing query': () => invalid({}, '?q'),
      'rejects a limit above 100': () => invalid({ query: { q: 'x', limit: 101 } }, '?limit'),
    },
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
};

export const timelineCases: SectionCases<typeof timelineOperations> = {
  getExperimentTimeline: {
    success: {
      'returns the newest action first': async (world) => {
        const { executionId, experiment } = await failed(world);
        const [arrived, checked] = ['arrived', 'checked'].map((label) => ({
          id: experiment.workflow.states[label],
          label,
        }));
        const actions = [
          {
            sequence: 2,
            kind: 'move',
            from: arrived,
            to: checked,
            executions: [{ id: executionId, function: 'worker' }],
          },
          { sequence: 1, kind: 'entry', from: arrived, to: arrived, executions: [] },
        ];
        return found({ params: { id: experiment.id } }, { actions });
      },
      'returns the actions before a sequence number': async (world) => {
        const { experiment } = await failed(world);
        return found({ params: { id: experiment.id }, query: { before: 2 } }, { actions: [{ sequence: 1 }] });
      },
    },
    validation: {
      ...unknownParameter(byExperiment),
      'rejects a sequence number that is not a number': async (world) =>
        invalid({ params: await byExperiment(world), query: { before: 'yesterday' } }, '?before'),
    },
    'missing reference': missingParts(byExperiment, { id: noSuchId }),
    conflict: readsOnly,
  },
};

export const experimentOverviewCases: SectionCases<typeof experimentOverviewOperations> = {
  getExperimentOverview: {
    success: {
      'returns an experiment with its incidents, executions and notes': async (world) => {
        const { executionId, experiment, incidentId } = await failed(world);
        const { id, label, subjectId, workflow } = experiment;
        const params = { id };
        await world.call('addNote', { params, body: { text: 'The first.' } });
        await world.call('addNote', { params, body: { text: 'The second.' } });
        const body = {
          ...ref('experiments', { id, label }),
          subject: { id: subjectId },
          workflow: ref('workflows', workflow),
          state: { id: workflow.states['checked'], label: 'checked' },
          incidents: [{ id: incidentId, kind: 'failed' }],
          executions: [{ id: executionId, callback: 'check', result: 'failed' }],
          variable_map: {},
          external_ids: [],
          scans: [],
          notes: [{ text: 'The second.' }, { text: 'The first.' }],
          open_executions: [],
        };
        return found({ params }, body);
      },
      'returns the transitions, external IDs and scans': async (world) => {
        const { id, workflow } = await world.experiment();
        const params = { id };
        const [{ name: system_name }, scantype] = [await world.system(), await world.scantype()];
        await world.call('addExperimentExternalIds', { params, body: { external_ids: { [system_name]: 'E04412' } } });
        await world.call('createScan', { body: { experiment_id: id, scantype_id: scantype.id } });
        const body = {
          external_ids: [{ system_name, external_id: 'E04412' }],
          scans: [{ scantype: { id: scantype.id } }],
          transitions: [
            {
              destination_state: { id: workflow.states['checked'] },
              allowed: false,
              missing_permission: 'sample_state_update',
            },
            { destination_state: { id: workflow.states['rejected'] } },
          ],
        };
        return found({ params }, body);
      },
    },
    validation: unknownParameter(byExperiment),
    'missing reference': missingParts(byExperiment, { id: noSuchId }),
    conflict: readsOnly,
  },
};

const byWorkflow = async (world: World) => ({ id: (await world.workflow()).id });

export const overviewCases: SectionCases<typeof overviewOperations> = {
  getWorkflowGraph: {
    success: {
      'returns states and transitions in definition order': async (world) => {
        const workflow = await world.workflow();
        const { arrived, checked, rejected } = workflow.states;
        const states = [
          { id: arrived, label: 'arrived', freetext: 'Scans are in the archive', callbacks: [] },
          { id: checked, label: 'checked', callbacks: ['check'] },
          { id: rejected, label: 'rejected', callbacks: [] },
        ];
        const transitions = [
          { source_id: arrived, destination_id: checked, condition: '', by: 'both' },
          { source_id: arrived, destination_id: rejected },
        ];
        const body = { workflow: ref('workflows', workflow), revision: 1, states, transitions };
        return found({ params: { id: workflow.id } }, body);
      },
    },
    validation: unknownParameter(byWorkflow),
    'missing reference': missingParts(byWorkflow, { id: noSuchId }),
    conflict: readsOnly,
  },
};

export const stateLookCases: SectionCases<typeof stateLookOperations> = {
  getStateLooks: {
    success: { 'returns the states of all workflows': () => found({}, {}) },
    validation: unknownParameter(async () => ({})),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
};
