/** Programs that run callbacks themselves: they pull executions, renew their claim, and report (ours). */
import type { Claim, workerClaimOperations } from '@milepost/api';
import type { Static } from 'typebox';
import { endRun } from '../engine/executions/end-run.ts';
import { startAttempts, type RunningAttempt } from '../engine/executions/start-attempts.ts';
import { notFound, Problem } from '../errors.ts';
import { LastingFailure } from '../functions/callback-function.ts';
import { renderPlaceholders } from '../functions/render-placeholders.ts';
import { runSource } from '../functions/run-source.ts';
import { ok, type Call, type Handlers } from '../http/call.ts';
import { pulledQueue } from '../jobs/queue-names.ts';
import { leaseSeconds, readExternalSystems, renewLeases } from '../store/attempts.ts';
import { getExecution } from '../store/executions.ts';
import { moving } from './experiments.ts';

export const workerClaimHandlers: Handlers<typeof workerClaimOperations> = {
  async claimExecutions(call) {
    const { queues, max = 1, wait_seconds = 0 } = call.body;
    const names = new Map(queues.map((name) => [pulledQueue(name), name]));
    const end = performance.now() + wait_seconds * 1000;
    for (;;) {
      const started = await startSome(call, [...names.keys()], max);
      const claims = await claimsOf(call, started, names);
      const left = end - performance.now();
      if (claims.length > 0 || left <= 0) return ok({ claims });
      await call.pulled.wait([...names.keys()], left);
    }
  },

  async renewClaim(call) {
    const { execution_id: executionId } = call.params;
    const { attempt: latest } = await getExecution(call.database.db, call.account.scope, executionId);
    const attempt = call.execution?.attempt ?? call.body.attempt ?? latest;
    if (attempt > latest || latest === 0) throw notFound(`attempt ${attempt} of this execution`);
    if (attempt < latest) {
      throw new Problem('stale_attempt', `Attempt ${latest} has taken the place of attempt ${attempt}: stop the run.`);
    }
    const kept = await renewLeases(call.database.db, [{ executionId, attempt, log: call.body.log ?? '' }]);
    return ok({ execution_id: executionId, attempt, lease_seconds: leaseSeconds, continue: kept.has(executionId) });
  },
};

async function startSome(call: Call, queues: readonly string[], max: number): Promise<RunningAttempt[]> {
  const taken = await call.pulled.take(queues, max);
  return taken.length === 0 ? [] : startAttempts(moving(call), taken, call.account.username);
}

async function claimsOf(
  call: Call,
  started: readonly RunningAttempt[],
  names: ReadonlyMap<string, string>,
): Promise<Static<typeof Claim>[]> {
  if (started.length === 0) return [];
  const systems = await readExternalSystems(call.database.db);
  const claims = await Promise.all(started.map((one) => claimOf(call, one, systems, names)));
  return claims.flatMap((claim) => claim ?? []);
}

/** One whose arguments cannot be filled in ends here: no worker could do anything with it. */
async function claimOf(
  call: Call,
  started: RunningAttempt,
  systems: Readonly<Record<string, string>>,
  names: ReadonlyMap<string, string>,
): Promise<Static<typeof Claim> | undefined> {
  try {
    return showClaim(call, started, systems, names);
  } catch (error) {
    if (!(error instanceof LastingFailure)) throw error;
    const { execution, attempt } = started;
    const end = { kind: 'lasting' as const, reason: error.message };
    await endRun(moving(call), { executionId: execution.id, attempt, end, log: '' });
    return undefined;
  }
}

function showClaim(
  { links }: Call,
  started: RunningAttempt,
  externalSystems: Readonly<Record<string, string>>,
  names: ReadonlyMap<string, string>,
): Static<typeof Claim> {
  const { execution, attempt, secret } = started;
  const source = runSource(links, started, externalSystems);
  const { experiment, subject, cohort } = source;
  return {
    execution: {
      ...links.idAndUri('callback_executions', execution.id),
      api_uri: source.execution.apiUri,
      web_uri: source.execution.webUri,
    },
    attempt,
    secret,
    queue: names.get(execution.queue) ?? execution.queue,
    function: execution.function,
    arguments: renderPlaceholders(execution.callback_arguments, source),
    experiment: {
      ...links.ref('experiments', experiment),
      api_uri: experiment.apiUri,
      external_ids: { ...experiment.externalIds },
    },
    subject: { ...links.ref('subjects', subject), external_ids: { ...subject.externalIds } },
    cohort: links.ref('cohorts', cohort),
    external_systems: { ...externalSystems },
    lease_seconds: leaseSeconds,
  };
}
