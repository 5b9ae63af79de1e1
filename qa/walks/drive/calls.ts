/** The calls of a walk: over HTTP, and with SQL to make time pass. */
import { sql } from 'kysely';
import { inTransaction } from '../../../packages/server/src/database/transaction.ts';
import { runBulkOperations } from '../../../packages/server/src/engine/bulk/run-bulk-operations.ts';
import { createUnclaimedSweep, reconcileLeases } from '../../../packages/server/src/engine/runs/recover-lost-work.ts';
import { watchQueues } from '../../../packages/server/src/engine/runs/watch-queues.ts';
import { recordContact } from '../../../packages/server/src/store/runs/contact.ts';
import { queueDelayed } from '../../../packages/server/src/store/runs/sweeps.ts';
import type { BulkRequest } from '../model/bulk.ts';
import type { Report, Reporter } from '../model/report.ts';
import type { MoveRequest } from '../model/move.ts';
import type { Line } from '../model/spreadsheet.ts';
import type { Json } from '../model/workflow.ts';
import type { CallResult } from './compare.ts';
import type { Naming, Settings } from './definition.ts';
import type { Body, Http, Parts } from './http.ts';
import { changeCallback, importWorkflow } from './change-definitions.ts';
import { importLines, labelOf } from './import-lines.ts';
import type { Lane } from './lane.ts';

type Name = Parameters<Http['call']>[0];
type Show = (body: Body) => Record<string, unknown>;

export type Calls = ReturnType<typeof createCalls>;

export function createCalls(lane: Lane, naming: Naming) {
  /** The secrets of each execution, in the order of its attempts. */
  const secrets = new Map<number, string[]>();
  const call = async (name: Name, parts: Parts, show: Show = () => ({})): Promise<CallResult> => {
    const { status, body } = await lane.http.call(name, parts);
    const code = body.error?.code ?? body.code;
    return { status, ...(code !== undefined && { code }), shows: status < 300 || body.state ? show(body) : {} };
  };
  return {
    ...userCalls(lane, naming, call),
    ...workerCalls(naming, call, secrets),
    ...timeCalls(lane, call),
  };
}

type Call = (name: Name, parts: Parts, show?: Show) => Promise<CallResult>;

/** Requests only the fields that are compared. */
const stateOnly = 'id,state{label}';

const userCalls = (lane: Lane, { label }: Naming, call: Call) => ({
  importWorkflow: (text: string, stateMap: Record<string, string> = {}) => importWorkflow(lane, text, stateMap),
  changeCallback: (state: string, callback: string, settings: Settings) =>
    changeCallback(lane, [label, state, callback], settings),
  create: (name: string) => {
    const body = { label: labelOf(name, label), subject_id: lane.subject.id, workflow_label: label };
    return call('createExperiment', { body, fields: stateOnly }, ({ id }) => ({ id }));
  },
  move: (id: number, { state, expected }: MoveRequest) => {
    const body = { state_label: state, ...(expected !== undefined && { expected_state: expected }) };
    return call('setExperimentState', { params: { id }, body }, (shown) => ({ state: shown.state.label }));
  },
  place: (id: number, state: string, run: boolean) => {
    const body = { state, reason: 'a walk', run_callbacks: run };
    const parts = { params: { id }, body, fields: stateOnly };
    return call('placeExperiment', parts, (shown) => ({ state: shown.state.label }));
  },
  setVariable: (id: number, name: string, value: Json) =>
    call('setExperimentVariable', { params: { id, name }, body: { value }, fields: stateOnly }),
  retryExperiment: (id: number) => call('retryExperiment', { params: { id }, body: {}, fields: 'id' }),
  retryExecution: (id: number) => call('retryCallbackExecution', { params: { id }, body: {}, fields: 'id' }),
  /** A worker checks and applies it at once. */
  changeAll: async (ids: readonly number[], { kind, state, runCallbacks }: BulkRequest): Promise<CallResult> => {
    const body = {
      kind,
      experiment_ids: ids,
      reason: 'a walk',
      ...((kind === 'move' || kind === 'place') && { state }),
      ...(kind === 'place' && { run_callbacks: runCallbacks }),
    };
    const made = await call('createBulkOperation', { body }, ({ id }) => ({ id }));
    await runBulkOperations(lane.context);
    const items = await call('listBulkItems', { params: { id: made.shows?.['id'] as number } }, (shown) => ({
      results: shown.items.map(({ result, code }: { result: string; code: string | null }) => code ?? result),
    }));
    return { ...made, shows: items.shows ?? {} };
  },
  importLines: (lines: readonly Line[]) => importLines(lane, label, lines),
  evaluate: (id: number) =>
    call('evaluateExperiment', { params: { id }, body: {}, fields: 'moved,state{label}' }, ({ moved, state }) => ({
      moved,
      state: state.label,
    })),
});

function workerCalls({ queue }: Naming, call: Call, secrets: Map<number, string[]>) {
  const signed = (id: number, by: Reporter): Pick<Parts, 'secret'> => {
    if (by === 'person') return {};
    return { secret: by === 'stranger' ? 'mpe_none' : (secrets.get(id)?.[by.attempt - 1] ?? '') };
  };
  return {
    claim: () =>
      call('claimExecutions', { body: { queues: [queue], max: 100 } }, ({ claims }) => {
        for (const { execution, secret } of claims)
          secrets.set(execution.id, [...(secrets.get(execution.id) ?? []), secret]);
        return { claims: claims.map(claimed).toSorted() };
      }),
    /** Without a secret, the body must name the attempt. */
    renew: (id: number, by: Reporter, attempt: number) => {
      const body = by === 'person' ? { attempt } : {};
      return call('renewClaim', { params: { execution_id: id }, body, ...signed(id, by) }, (shown) => ({
        continue: shown.continue,
      }));
    },
    report: (id: number, by: Reporter, body: Report) => {
      const fields = 'status,result,warnings,experiment{state{label}}';
      const parts = { params: { id }, body, fields, ...signed(id, by) };
      return call('updateCallbackExecution', parts, ({ status, result, warnings, experiment }) => ({
        status,
        result,
        warns: warnings.length > 0,
        state: experiment.state.label,
      }));
    },
  };
}

const claimed = ({ execution, attempt }: { execution: { id: number }; attempt: number }) =>
  `${execution.id}: attempt ${attempt}`;

/** Renews all other leases, which expire by themselves on a slow machine. */
const expireLease = `
  with used as (update contact set at = now()), without_gaps as (delete from contact_gaps)
  update execution_attempts set heartbeat_at = now() - case when execution_id = $1 then interval '1 minute' else '0' end,
    started_at = case when execution_id = $1 then now() - interval '1 minute' else started_at end
  where ended_at is null`;
const expireDeadline = `
  update callback_executions set deadline = now() - interval '1 second' where id = $1 and deadline is not null`;
/** Between two attempts, the running time that was left is not used. */
const restoreDeadline = `
  update callback_executions set deadline = now() + interval '1 hour'
  where id = $1 and deadline is not null and next_attempt_at is not null`;
/** Ends an initial delay or the pause between two attempts. */
const endPause = `
  with due as (
    update callback_executions set next_attempt_at = now() - interval '1 second'
    where id = $1 and next_attempt_at is not null)
  update pgboss.job_common set created_on = now() - interval '1 second', start_after = now() - interval '1 second'
  where id = lpad(to_hex($1), 32, '0')::uuid`;

const ageUnclaimed = `
  with aged as (
    update callback_executions set created = now() - interval '16 minutes',
      next_attempt_at = next_attempt_at - interval '16 minutes'
    where id = $1)
  update pgboss.job_common set created_on = created_on - interval '16 minutes', start_after = start_after - interval '16 minutes'
  where id = lpad(to_hex($1), 32, '0')::uuid`;
const deleteJob = `
  with waiting as (
    update callback_executions set next_attempt_at = next_attempt_at - interval '2 minutes',
      created = case when status in ('created', 'queued') then least(created, now() - interval '2 minutes') else created end
    where id = $1)
  delete from pgboss.job_common where id = lpad(to_hex($1), 32, '0')::uuid`;

/** Sets all times of contact and heartbeats back by a minute. */
const passOutage = sql`
  with used as (update contact set at = now() - interval '1 minute'), without_gaps as (delete from contact_gaps)
  update execution_attempts set started_at = least(started_at, now() - interval '1 minute'),
    heartbeat_at = now() - interval '1 minute'
  where ended_at is null`;

const timeCalls = ({ rows, context }: Lane, call: Call) => ({
  loseLease: async (id: number): Promise<CallResult> => {
    await rows(expireLease, [id]);
    await reconcileLeases(context);
    await rows(endPause, [id]);
    return { status: 200 };
  },
  /** In one transaction, so that `now()` does not depend on the speed of the machine. */
  outage: async (): Promise<CallResult> => {
    await inTransaction(context.db, async (tx) => {
      await passOutage.execute(tx);
      await recordContact(tx, 'worker');
      await recordContact(tx, 'server');
      await reconcileLeases({ ...context, db: tx });
    });
    return { status: 200 };
  },
  passDelay: async (id: number): Promise<CallResult> => {
    await rows(endPause, [id]);
    await queueDelayed(context.db);
    return { status: 200 };
  },
  timeOut: async (id: number) => {
    await rows(expireDeadline, [id]);
    const checked = await call('checkTimeouts', {}, (counts) => counts);
    await rows(restoreDeadline, [id]);
    return checked;
  },
  neglect: async (id: number): Promise<CallResult> => {
    await rows(ageUnclaimed, [id]);
    await createUnclaimedSweep()(context);
    await watchQueues(context);
    return { status: 200 };
  },
  loseJob: async (id: number): Promise<CallResult> => {
    await rows(deleteJob, [id]);
    await createUnclaimedSweep()(context);
    return { status: 200 };
  },
});
