/** Programs that run callbacks themselves: they pull executions, renew their claim, and report (ours). */
import type { Claim, workerClaimOperations } from '@milepost/api';
import type { Static } from 'typebox';
import { endRun } from '../engine/executions/end-run.ts';
import { startAttempts, type RunningAttempt } from '../engine/executions/start-attempts.ts';
import { invalid, notFound, Problem } from '../errors.ts';
import { LastingFailure } from '../functions/callback-function.ts';
import { mask } from '../functions/mask.ts';
import { renderPlaceholders } from '../functions/render-placeholders.ts';
import { runSource } from '../functions/run-source.ts';
import { ok, type Call, type Handlers } from '../http/call.ts';
import { pulledQueue } from '../jobs/queue-names.ts';
import { leaseSeconds, readExternalSystems, renewLeases } from '../store/attempts.ts';
import { findWorker } from '../store/claims.ts';
import { getExecution } from '../store/executions.ts';
import { moving } from './experiments.ts';

export const workerClaimHandlers: Handlers<typeof workerClaimOperations> = {
  async claimExecutions(call) {
    const { queues, max = 1, wait_seconds = 0 } = call.body;
    const names = new Map(queues.map((name) => [pulledQueue(name), name]));
    const end = performance.now() + wait_seconds * 1000;
    let { account } = call;
    // What is started for somebody who has gone is nobody's until its lease is over.
    while (!call.gone.aborted) {
      const claims = await claimSome({ ...call, account }, names, max);
      const left = end - performance.now();
      if (claims.length > 0 || left <= 0) return ok({ claims });
      await call.pulled.wait([...names.keys()], left, call.gone);
      // Rights may have ended meanwhile, and with them what secrets may be given.
      account = await call.following.admitAgain();
    }
    return ok({ claims: [] });
  },

  async renewClaim(call) {
    const { execution_id: executionId } = call.params;
    const { attempt: latest } = await getExecution(call.database.db, call.account.scope, executionId);
    const attempt = call.execution?.attempt ?? attemptNamed(call.body);
    if (attempt > latest || latest === 0) throw notFound(`attempt ${attempt} of this execution`);
    if (attempt < latest) {
      throw new Problem('stale_attempt', `Attempt ${latest} has taken the place of attempt ${attempt}: stop the run.`);
    }
    if (!call.execution) await refuseOthers(call, executionId, attempt);
    const log = mask(call.body.log ?? '', call.execution?.secret ?? '');
    const kept = await renewLeases(call.database.db, [{ executionId, attempt, log }]);
    return ok({ execution_id: executionId, attempt, lease_seconds: leaseSeconds, continue: kept.size > 0 });
  },
};

/** The latest may be somebody else's by now: who comes without a secret says which one they run. */
function attemptNamed({ attempt }: { attempt?: number }): number {
  if (attempt !== undefined) return attempt;
  throw invalid({ pointer: '/attempt', detail: '/attempt is required without a secret: the attempt that you run.' });
}

async function refuseOthers({ database, account }: Call, executionId: number, attempt: number): Promise<void> {
  if ((await findWorker(database.db, executionId, attempt)) === account.username) return;
  throw new Problem('not_allowed', `Attempt ${attempt} was claimed by somebody else, who alone can renew it.`);
}

type Names = ReadonlyMap<string, string>;

async function claimSome(call: Call, names: Names, max: number): Promise<Static<typeof Claim>[]> {
  // Before anything is taken: what fails later costs those who wait for it the time of a lease.
  const systems = await readExternalSystems(call.database.db);
  const taken = await call.pulled.take([...names.keys()], max);
  if (taken.length === 0) return [];
  const started = await startAttempts(moving(call), taken, call.account.username);
  const claims = await Promise.all(started.map((one) => claimOf(call, one, systems, names)));
  return claims.flatMap((claim) => claim ?? []);
}

/** One that cannot be shown ends here, and the others are given out. */
async function claimOf(
  call: Call,
  started: RunningAttempt,
  systems: Readonly<Record<string, string>>,
  names: Names,
): Promise<Static<typeof Claim> | undefined> {
  try {
    return showClaim(call, started, systems, names);
  } catch (error) {
    await endUnshown(call, started, error).catch((further: unknown) =>
      call.log.warn({ err: further }, 'a claim could not be ended, and waits for the end of its lease'),
    );
    return undefined;
  }
}

/** Arguments that cannot be filled in are of no use to any worker; anything else may go better next time. */
async function endUnshown(call: Call, { execution, attempt }: RunningAttempt, error: unknown): Promise<void> {
  const isLasting = error instanceof LastingFailure;
  if (!isLasting) call.log.error({ err: error }, 'a claim could not be shown');
  const end = isLasting
    ? { kind: 'lasting' as const, reason: error.message }
    : { kind: 'passing' as const, reason: 'It could not be given to a worker.' };
  await endRun(moving(call), { executionId: execution.id, attempt, end, log: '' });
}

function showClaim(
  { links }: Call,
  started: RunningAttempt,
  externalSystems: Readonly<Record<string, string>>,
  names: Names,
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
