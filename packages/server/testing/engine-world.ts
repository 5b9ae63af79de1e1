/** Creates, changes and reads experiments in short workflows, for tests of the engine. */
import { pulledQueue } from '../src/jobs/queue-names.ts';
import { createWorld } from './cases/world.ts';
import type { TestServer } from './server.ts';

export interface ExecutionRow {
  id: number;
  sequence: number;
  callback: string;
  status: string;
  result: string;
  attempt: number;
}

interface ActionRow {
  id: number;
  sequence: number;
  success: boolean;
  ended: boolean;
  return_value: string;
  retry_of: number | null;
}

/** A callback `c` for pulling workers of the queue. Its success leads to `good`. A user can move the experiment to `other`. */
export const pulledWorkflow = (queue: string, more = '') => `states:
  - label: run
    callbacks:
      - {label: c, function: worker, callback_arguments: {queue: ${queue}}, variable_map: {v: x}${more}}
    transitions:
      - {destination: good, condition: "callbacks['c'].result == 'success'", by: engine}
      - {destination: other, by: person}
  - {label: good}
  - {label: other}
`;

export type EngineWorld = ReturnType<typeof createEngineWorld>;

export const createEngineWorld = (server: TestServer) => ({
  ...createBuilders(server),
  ...createReaders(server),
  ...createActions(server),
  ...createClock(server),
});

function createBuilders(server: TestServer) {
  const world = createWorld(server);
  const importWorkflow = async (states: string, label = world.fresh('workflow')) => {
    const body = { workflow_definition: `label: ${label}\n${states}` };
    const imported = await server.call('importWorkflow', { body });
    if (imported.status >= 300) throw new Error(JSON.stringify(imported.body));
    return label;
  };
  /** Creates an experiment in the workflow with this label. */
  const experimentOf = async (workflow: string): Promise<number> => {
    const { id } = await world.subject();
    const body = { label: world.fresh('experiment'), subject_id: id, workflow_label: workflow };
    return (await server.call('createExperiment', { body })).body.id;
  };
  const experimentIn = async (states: string) => experimentOf(await importWorkflow(states));
  return { fresh: world.fresh, subject: world.subject, importWorkflow, experimentOf, experimentIn };
}

function createReaders(server: TestServer) {
  const executionsOf = (id: number) =>
    server.sql<ExecutionRow>(
      `select callback_executions.id::int, actions.sequence::int, callbacks.label as callback, status, result, attempt
       from callback_executions join actions on actions.id = action_id join callbacks on callbacks.id = callback_id
       where experiment_id = $1 order by callback_executions.id`,
      [id],
    );
  return {
    executionsOf,
    /** The latest execution of a callback. */
    executionOf: async (id: number, callback: string): Promise<ExecutionRow> => {
      const found = (await executionsOf(id)).findLast((execution) => execution.callback === callback);
      if (!found) throw new Error(`Experiment ${id} has no execution of ${callback}.`);
      return found;
    },
    stateOf: async (id: number): Promise<string> =>
      (await server.call('getExperimentState', { params: { id } })).body.state.label,
    variablesOf: async (id: number): Promise<unknown> =>
      (await server.call('getExperiment', { params: { id } })).body.variable_map,
    actionsOf: (id: number) =>
      server.sql<ActionRow>(
        `select id::int, sequence::int, success, end_time is not null as ended, return_value, retry_of::int
         from actions where experiment_id = $1 order by sequence`,
        [id],
      ),
    /** Of a pulled queue. */
    queueIncidentsOf: (queue: string) =>
      server.sql<{ open: boolean; passed_over: number | null }>(
        `select closed_at is null as open, execution_id::int as passed_over from incidents where queue = $1 order by id`,
        [pulledQueue(queue)],
      ),
    incidentsOf: (id: number) =>
      server.sql<{ kind: string; open: boolean }>(
        `select kind, closed_at is null as open from incidents where experiment_id = $1 order by id`,
        [id],
      ),
  };
}

function createActions(server: TestServer) {
  const report = (id: number, body: object) => server.call('updateCallbackExecution', { params: { id }, body });
  return {
    report,
    finish: (id: number, result: 'success' | 'failed', values: object = {}) =>
      report(id, { status: 'finished', result, result_values: values }),
    move: (id: number, state: string, more: object = {}) =>
      server.call('setExperimentState', { params: { id }, body: { state_label: state, ...more } }),
    claim: async (queue: string, more: object = {}) =>
      (await server.call('claimExecutions', { body: { queues: [queue], ...more } })).body.claims,
    /** Reports like a program that has the secret of its attempt. */
    reportWithSecret: (claim: { execution: { id: number }; secret: string }, body: object) =>
      server.call('updateCallbackExecution', {
        params: { id: claim.execution.id },
        as: null,
        headers: { authorization: `Bearer ${claim.secret}` },
        body,
      }),
  };
}

/** Makes time pass for an execution or a queue. */
const createClock = (server: TestServer) => ({
  /** All runs of the pulled queue have waited this much longer, and nothing was taken from it meanwhile. */
  neglectQueue: async (queue: string, interval: string) => {
    const values = [pulledQueue(queue), interval];
    await server.sql(
      `with aged as (
         update pgboss.job_common set created_on = created_on - $2::interval, start_after = start_after - $2::interval
         where name = $1 and state = 'created' returning (data ->> 'execution_id')::bigint as id)
       update callback_executions set created = created - $2::interval, next_attempt_at = next_attempt_at - $2::interval
       from aged where callback_executions.id = aged.id`,
      values,
    );
    await server.sql('update queue_starts set at = at - $2::interval where queue = $1', values);
    await server.sql(
      'update queue_progress set last_started_at = last_started_at - $2::interval where queue = $1',
      values,
    );
  },
  /** The workers of the running attempts have sent no heartbeat for a minute, and the database was in use meanwhile. */
  loseLease: (...ids: readonly number[]) =>
    server.sql(
      `with used as (update contact set at = now()), without_gaps as (delete from contact_gaps)
       update execution_attempts set started_at = now() - interval '1 minute', heartbeat_at = now() - interval '1 minute'
       where execution_id = any($1) and ended_at is null`,
      [ids],
    ),
  /** Makes the next attempt due now. */
  skipPause: (id: number) =>
    server.sql(
      `with due as (update callback_executions set next_attempt_at = now()
         where id = $1 and next_attempt_at is not null returning id)
       update pgboss.job set created_on = now(), start_after = now() from due where data ->> 'execution_id' = due.id::text`,
      [id],
    ),
});
