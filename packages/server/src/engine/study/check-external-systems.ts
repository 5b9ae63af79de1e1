/**
 * Checks whether external systems respond, for the page of external systems (docs/decisions/0050). Every response below 500 shows that
 * the system is there, also a redirect and a request to sign in. No transaction is open during a request.
 */
import { performance } from 'node:perf_hooks';
import type { Db } from '../../database/connection.ts';
import type { Outgoing } from '../../outgoing/create-outgoing.ts';
import { OutgoingNotAllowed } from '../../outgoing/outgoing-errors.ts';
import { createRedaction } from '../../redact.ts';
import {
  claimDueChecks,
  recordCheck,
  releaseCheck,
  type CheckOutcome,
  type DueCheck,
} from '../../store/study/external-system-checks.ts';
import { cleanLog } from '../../validation/json.ts';

const requestsAtOnce = 10;
const timeoutMs = 10_000;
const maxErrorLength = 500;

interface CheckContext {
  db: Db;
  outgoing: Outgoing;
}

/** Returns the number of systems that were due, up to 20. If a result cannot be stored, the other requests still end first. */
export async function checkExternalSystems(context: CheckContext, signal: AbortSignal): Promise<number> {
  const due = await claimDueChecks(context.db);
  const remaining = due.values();
  const checkRemaining = async () => {
    for (const check of remaining) await checkSystem(context, check, signal);
  };
  const ended = await Promise.allSettled(Array.from({ length: requestsAtOnce }, checkRemaining));
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return due.length;
}

async function checkSystem({ db, outgoing }: CheckContext, check: DueCheck, signal: AbortSignal): Promise<void> {
  const outcome = await outcomeOf(outgoing, check.url, signal);
  // The result of an aborted request is not one of the system.
  await (signal.aborted ? releaseCheck(db, check) : recordCheck(db, check, outcome));
}

async function outcomeOf(outgoing: Outgoing, url: string, signal: AbortSignal): Promise<CheckOutcome> {
  try {
    const { status, latencyMs } = await requestOnce(outgoing, url, signal);
    return status < 500 ? { result: 'reachable', latencyMs } : { result: 'unreachable', error: `Response ${status}.` };
  } catch (error) {
    return { result: error instanceof OutgoingNotAllowed ? 'not_allowed' : 'unreachable', error: textOf(error) };
  }
}

/** HEAD needs no body. Servers that do not support it may respond with an error, so that GET decides. */
async function requestOnce(outgoing: Outgoing, url: string, signal: AbortSignal) {
  const send = async (method: 'HEAD' | 'GET') => {
    const start = performance.now();
    const { status } = await outgoing.request({ url, method, signal, timeoutMs });
    return { status, latencyMs: Math.round(performance.now() - start) };
  };
  const head = await send('HEAD');
  return head.status < 500 ? head : send('GET');
}

const redact = createRedaction();

const textOf = (error: unknown): string =>
  cleanLog(redact(error instanceof Error ? error.message : String(error)).slice(0, maxErrorLength));
