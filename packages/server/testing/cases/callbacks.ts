import type { callbackOperations } from '@milepost/api';
import { found, invalid, missingParts, noSuchId, taken, unknownParameter, wrongPages } from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { Workflow, World } from './world.ts';

type Built = Pick<
  typeof callbackOperations,
  'getCallbackExecution' | 'listCallbacks' | 'getCallback' | 'updateCallback'
>;

/** The one callback of a new workflow. */
async function callback(world: World, workflow?: Workflow) {
  const its = workflow ?? (await world.workflow());
  const state = { id: its.states['checked'] ?? 0, label: 'checked', uri: `/api/v2/states/${its.states['checked']}` };
  const [row] = await world.sql<{ id: string }>('select id from callbacks where state_id = $1', [state.id]);
  return { id: Number(row?.id), state, workflow: its };
}

/** The execution of that callback for a new experiment. */
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

/** A second callback of the same state, made in the database. */
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

export const callbackCases: SectionCases<Built> = {
  getCallbackExecution: {
    success: {
      'one that waits to be run': async (world) => {
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
      'a page of one': async (world) => {
        const { id } = await callback(world);
        const callbacks = [{ id, label: 'check', uri: `/api/v2/callbacks/${id}` }];
        return found({ query: { after: id - 1, limit: 1 } }, { callbacks });
      },
    },
    validation: wrongPages(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getCallback: {
    success: {
      'one that never ran': async (world) => {
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
      'other arguments, as YAML': async (world) => {
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
      'a condition that cannot be read': async (world) =>
        invalid({ params: await byCallback(world), body: { condition: 'a ==' } }, '/condition'),
      'arguments that are a list': async (world) =>
        invalid({ params: await byCallback(world), body: { callback_arguments: '[1]' } }, '/callback_arguments'),
      'waiting without a time': async (world) =>
        invalid({ params: await byCallback(world), body: { function: 'wait' } }, '/wait_timeout'),
      'another state': async (world) =>
        invalid({ params: await byCallback(world), body: { state: { label: 'arrived' } } }, '/state'),
    },
    'missing reference': missingParts(byCallback, { id: noSuchId }, { run_timeout: 5 }),
    conflict: {
      'the label of another of the state': async (world) =>
        taken({ params: { id: await withSibling(world, { retired: false }) }, body: { label: 'sibling' } }, '/label'),
      'the label of one that is gone': async (world) =>
        taken({ params: { id: await withSibling(world, { retired: true }) }, body: { label: 'sibling' } }, '/label'),
      'one that is gone itself': async (world) => {
        const { id } = await callback(world);
        await world.sql('update callbacks set retired = true where id = $1', [id]);
        return { request: { params: { id }, body: { run_timeout: 5 } }, status: 409, code: 'callback_retired' };
      },
    },
  },
};
