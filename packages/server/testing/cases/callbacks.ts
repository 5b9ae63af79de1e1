import type { callbackOperations, executionOperations } from '@milepost/api';
import { found, invalid, missingParts, noSuchId, taken, unknownParameter, invalidPaging } from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { Workflow, World } from './world.ts';

type Operations = Pick<typeof executionOperations, 'getCallbackExecution'> & typeof callbackOperations;

/** The only callback of a new workflow. */
async function callback(world: World, workflow?: Workflow) {
  const owner = workflow ?? (await world.workflow());
  const stateId = owner.states['checked'] ?? 0;
  const state = { id: stateId, label: 'checked', uri: `/api/v2/states/${stateId}` };
  const [row] = await world.sql<{ id: string }>('select id from callbacks where state_id = $1', [state.id]);
  return { id: Number(row?.id), state, workflow: owner };
}

/** An execution of this callback for a new experiment. */
export async function execution(world: World) {
  const experiment = await world.experiment();
  await world.move(experiment, 'checked');
  const [row] = await world.sql<{ id: string; action_id: string }>(
    `select callback_executions.id, action_id from callback_executions join actions on actions.id = action_id
     where experiment_id = $1`,
    [experiment.id],
  );
  return { id: Number(row?.id), actionId: Number(row?.action_id), experiment };
}

const byCallback = async (world: World) => ({ id: (await callback(world)).id });
const byExecution = async (world: World) => ({ id: (await execution(world)).id });

/** Creates a callback, inserts a second one in the same state, and returns the id of the first. */
async function withSibling(world: World, { retired }: { retired: boolean }) {
  const { id, state } = await callback(world);
  await world.sql(
    `with made as (insert into callbacks (state_id, label, retired) values ($1, 'sibling', $2) returning id)
     insert into callback_versions (callback_id, version, workflow_revision, label, function)
     select id, 1, 1, 'sibling', 'http' from made`,
    [state.id, retired],
  );
  return id;
}

export const callbackCases: SectionCases<Operations> = {
  getCallbackExecution: {
    success: {
      'returns a queued execution': async (world) => {
        const { id, actionId, experiment } = await execution(world);
        const own = { id, uri: `/api/v2/callback_executions/${id}` };
        const body = {
          ...own,
          api_uri: `https://milepost.example.org/api/v2/callback_executions/${id}`,
          web_uri: `https://milepost.example.org/callback_executions/${id}`,
          status: 'queued',
          result: 'none',
          attempt: 0,
          action: { id: actionId, executions: [own] },
          callback: { label: 'check', function: 'worker', executions: [own] },
          experiment: { id: experiment.id, label: experiment.label, state: { label: 'checked' } },
          subject: { id: experiment.subjectId, experiments: [{ id: experiment.id }] },
          cohort: { subjects: [{ id: experiment.subjectId }] },
          result_values: {},
        };
        return found({ params: { id } }, body);
      },
    },
    validation: unknownParameter(byExecution),
    'missing reference': missingParts(byExecution, { id: noSuchId }),
    conflict: readsOnly,
  },
  listCallbacks: {
    success: {
      'returns a page with one callback': async (world) => {
        const { id } = await callback(world);
        const callbacks = [{ id, label: 'check', uri: `/api/v2/callbacks/${id}` }];
        return found({ query: { after: id - 1, limit: 1 } }, { callbacks });
      },
    },
    validation: invalidPaging(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getCallback: {
    success: {
      'returns a callback without executions': async (world) => {
        const { id, state } = await callback(world);
        const body = {
          label: 'check',
          callback_arguments: '{"queue":"checks"}',
          run_timeout: 60,
          state,
          executions: [],
        };
        return found({ params: { id } }, body);
      },
    },
    validation: unknownParameter(byCallback),
    'missing reference': missingParts(byCallback, { id: noSuchId }),
    conflict: readsOnly,
  },
  updateCallback: {
    success: {
      'changes the arguments, given as YAML, and creates a revision': async (world) => {
        const { id } = await callback(world);
        return {
          ...found(
            { params: { id }, body: { callback_arguments: 'queue: others', run_timeout: 5 } },
            { callback_arguments: '{"queue":"others"}', run_timeout: 5, function: 'worker' },
          ),
          stored: {
            query: `select current_version, (select revision from workflows join states on workflows.id = workflow_id
              where states.id = state_id) as revision from callbacks where id = $1`,
            values: [id],
            rows: [{ current_version: 2, revision: 2 }],
          },
        };
      },
    },
    validation: {
      'rejects an invalid condition': async (world) =>
        invalid({ params: await byCallback(world), body: { condition: 'a ==' } }, '/condition'),
      'rejects arguments that are a list': async (world) =>
        invalid({ params: await byCallback(world), body: { callback_arguments: '[1]' } }, '/callback_arguments'),
      'rejects the function `wait` without a timeout': async (world) =>
        invalid({ params: await byCallback(world), body: { function: 'wait' } }, '/wait_timeout'),
      'rejects a change of the state': async (world) =>
        invalid({ params: await byCallback(world), body: { state: { label: 'arrived' } } }, '/state'),
    },
    'missing reference': missingParts(byCallback, { id: noSuchId }, { run_timeout: 5 }),
    conflict: {
      'rejects the label of another callback of the state': async (world) =>
        taken({ params: { id: await withSibling(world, { retired: false }) }, body: { label: 'sibling' } }, '/label'),
      'rejects the label of a retired callback': async (world) =>
        taken({ params: { id: await withSibling(world, { retired: true }) }, body: { label: 'sibling' } }, '/label'),
      'rejects a retired callback': async (world) => {
        const { id } = await callback(world);
        await world.sql('update callbacks set retired = true where id = $1', [id]);
        return { request: { params: { id }, body: { run_timeout: 5 } }, status: 409, code: 'callback_retired' };
      },
    },
  },
};
