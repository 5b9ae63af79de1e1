/** Claims of pulling workers. */
import type { Claim, workerClaimOperations } from '@milepost/api';
import type { Static } from 'typebox';
import { claimExecutions } from '../../engine/runs/claim-executions.ts';
import { endRun } from '../../engine/runs/end-run.ts';
import { hashSecret } from '../../engine/runs/secrets.ts';
import type { RunningAttempt } from '../../engine/runs/start-attempts.ts';
import { invalid, notFound, Problem } from '../../errors.ts';
import { PermanentFailure } from '../../functions/callback-function.ts';
import { mask } from '../../functions/hide-secret.ts';
import { renderPlaceholders } from '../../functions/render-placeholders.ts';
import { runSource } from '../../functions/run-source.ts';
import { readsAttempt } from '../../http/access/deferred-secret.ts';
import { ok, type Call, type Handlers } from '../../http/call.ts';
import type { PulledJobs } from '../../jobs/pulled-jobs.ts';
import { pulledQueue } from '../../jobs/queue-names.ts';
import { leaseSeconds } from '../../store/runs/attempts.ts';
import { allCohorts } from '../../store/scope.ts';
import { renewClaim } from '../../store/runs/worker-claims.ts';
import { engineContext, type EngineServices } from '../engine-context.ts';

export interface ClaimServices extends EngineServices {
  pulled: PulledJobs;
}

type ClaimCall = Call & ClaimServices;

export const workerClaimHandlers: Handlers<typeof workerClaimOperations, ClaimServices> = {
  async claimExecutions(call) {
    const { queues, max = 1, wait_seconds = 0 } = call.body;
    const names = new Map(queues.map((name) => [pulledQueue(name), name]));
    const end = performance.now() + wait_seconds * 1000;
    const disconnected = call.following.disconnectSignal();
    let { account } = call;
    // An execution claimed for a disconnected client would be lost until its lease expires.
    while (!disconnected.aborted) {
      const claims = await claimSome({ ...call, account }, names, max);
      const left = end - performance.now();
      if (claims.length > 0 || left <= 0) return ok({ claims });
      await call.pulled.wait([...names.keys()], left, disconnected);
      // The caller may have lost access while waiting and must not get secrets then.
      account = await call.following.recheckAccess();
    }
    return ok({ claims: [] });
  },

  renewClaim: readsAttempt(async (call: Call<typeof workerClaimOperations.renewClaim>) => {
    const { execution_id: executionId } = call.params;
    const { database, account, execution } = call;
    const by = execution
      ? { secretHash: hashSecret(execution.secret) }
      : { attempt: requireAttempt(call.body), username: account.username };
    const log = mask(call.body.log ?? '', execution?.secret ?? '');
    // A secret gives access to its execution in any cohort.
    const scope = execution ? allCohorts : account.scope;
    const claim = await renewClaim(database.db, scope, { executionId, log, by });
    await execution?.confirm?.(claim?.attempt ?? null);
    if (!claim) throw notFound(`callback execution with id ${executionId}`);
    const { latest, own, lease } = claim;
    const attempt = 'attempt' in by ? by.attempt : (claim.attempt ?? 0);
    if (attempt > latest || latest === 0) throw notFound(`attempt ${attempt} of this execution`);
    if (attempt < latest) {
      throw new Problem('stale_attempt', `Attempt ${latest} has replaced attempt ${attempt}. Stop the run.`);
    }
    if (!own) throw claimedByAnother(attempt);
    if (lease === 'locked') throw leaseLocked();
    return ok({ execution_id: executionId, attempt, lease_seconds: leaseSeconds, continue: lease === 'renewed' });
  }),
};

/** The log was not stored, so the caller has to repeat the request. */
const leaseLocked = () =>
  new Problem('busy', 'Another request is changing this execution. Nothing was saved. Try again in 1 second.', {
    retryAfterSeconds: 1,
  });

/** Without the secret, the caller must send the attempt, because another worker may have claimed the latest one. */
function requireAttempt({ attempt }: { attempt?: number }): number {
  if (attempt !== undefined) return attempt;
  throw invalid({
    pointer: '/attempt',
    detail: '/attempt is required without a secret. Send the attempt that you run.',
  });
}

const claimedByAnother = (attempt: number) =>
  new Problem('not_allowed', `Another worker claimed attempt ${attempt}. You can renew only your own claims.`);

type Names = ReadonlyMap<string, string>;

async function claimSome(call: ClaimCall, names: Names, max: number): Promise<Static<typeof Claim>[]> {
  const started = await claimExecutions(engineContext(call), call.account.username, (statement) =>
    call.pulled.takeWith(statement, [...names.keys()], max),
  );
  const claims = await Promise.all(started.map((one) => claimOf(call, one, names)));
  return claims.flatMap((claim) => claim ?? []);
}

/** Ends an execution that cannot be returned, so that the other claims are not affected. */
async function claimOf(
  call: ClaimCall,
  started: RunningAttempt,
  names: Names,
): Promise<Static<typeof Claim> | undefined> {
  try {
    return showClaim(call, started, names);
  } catch (error) {
    await endUnclaimable(call, started, error).catch((further: unknown) =>
      call.log.warn({ err: further }, 'failed to end a claim. Its lease will expire.'),
    );
    return undefined;
  }
}

/** Invalid arguments fail permanently. Any other error is temporary. */
async function endUnclaimable(call: ClaimCall, { execution, attempt }: RunningAttempt, error: unknown): Promise<void> {
  const isPermanent = error instanceof PermanentFailure;
  if (!isPermanent) call.log.error({ err: error }, 'failed to return a claim');
  const end = isPermanent
    ? { kind: 'permanent' as const, reason: error.message }
    : { kind: 'temporary' as const, reason: 'The claim could not be returned to the worker.' };
  await endRun(engineContext(call), { executionId: execution.id, attempt, end, log: '' });
}

function showClaim({ links }: Call, started: RunningAttempt, names: Names): Static<typeof Claim> {
  const { execution, attempt, secret, externalSystems } = started;
  const source = runSource(links, started);
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
