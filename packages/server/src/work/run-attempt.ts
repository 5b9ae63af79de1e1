/**
 * Runs one attempt of a callback with a built-in function: fills in the arguments, keeps the lease and records the end. A run
 * that lost its lease, or whose execution was resolved by a report, is stopped at the next heartbeat.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EndedAs, FinishedRun, RunEnd } from '../engine/runs/end-run.ts';
import type { EndRun } from '../engine/runs/end-runs.ts';
import { fitValues } from '../engine/runs/fit-values.ts';
import type { RunningAttempt } from '../engine/runs/start-attempts.ts';
import type { EngineContext } from '../engine/experiments/optimistic-lock.ts';
import { Paused, PermanentFailure, TemporaryFailure, type CallbackFunction } from '../functions/callback-function.ts';
import { mask } from '../functions/hide-secret.ts';
import { renderPlaceholders } from '../functions/render-placeholders.ts';
import { runSource } from '../functions/run-source.ts';
import { isBuiltIn, type BuiltInFunction } from '@milepost/definitions';
import type { Links } from '../links.ts';
import { inSpan } from '../tracing/span.ts';
import { attemptSpan, describeEnd } from './attempt-span.ts';

export interface RunContext {
  engine: EngineContext;
  endRun: EndRun;
  links: Links;
  functions: Readonly<Record<BuiltInFunction, CallbackFunction>>;
}

/** A run in progress, for the heartbeats. */
export interface ActiveRun {
  executionId: number;
  attempt: number;
  workflow: string;
  bulk: boolean;
  stopping: AbortController;
  /** Returns and clears the output since the last call. */
  takeLog: () => string;
  /** Restores output that was taken and could not be sent. */
  putLogBack: (log: string) => void;
}

/** Why a run is stopped from outside. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  /** Whether another worker runs it again. */
  readonly returned: boolean;
  constructor(reason: string, { returned }: { returned: boolean }) {
    super(reason);
    this.returned = returned;
  }
}

export function trackRun({ execution, attempt }: RunningAttempt): ActiveRun & { log: (text: string) => void } {
  let output = '';
  return {
    executionId: execution.id,
    attempt,
    workflow: String(execution.workflow_id),
    bulk: execution.bulk,
    stopping: new AbortController(),
    log: (text) => {
      output += text.endsWith('\n') ? text : `${text}\n`;
    },
    takeLog: () => {
      const log = output;
      output = '';
      return log;
    },
    putLogBack: (log) => {
      output = log + output;
    },
  };
}

/**
 * A run that ended must not run again because its end could not be written. The write is retried until it succeeds or the lease
 * is lost. The heartbeats continue in the meantime.
 */
export const runAttempt = (
  context: RunContext,
  started: RunningAttempt,
  run: ReturnType<typeof trackRun>,
  onError: (error: unknown) => void,
): Promise<EndedAs> =>
  inSpan(
    started.trace,
    `run ${started.execution.function}`,
    () => attemptSpan(started),
    async (trace) => {
      const end = await endOf(context, { ...started, trace }, run, onError);
      if (trace) describeEnd(trace, end);
      return recordEnd(context, run, { end, trace }, onError);
    },
  );

async function recordEnd(
  context: RunContext,
  run: ReturnType<typeof trackRun>,
  ended: Pick<FinishedRun, 'end' | 'trace'>,
  onError: (error: unknown) => void,
): Promise<EndedAs> {
  const { executionId, attempt, stopping } = run;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const log = run.takeLog();
    try {
      return await context.endRun({ executionId, attempt, ...ended, log });
    } catch (error) {
      run.putLogBack(log);
      const stopped: unknown = stopping.signal.reason;
      if (stopped instanceof Stopped) throw error;
      onError(error);
      await sleep(pauseMs);
    }
  }
}

const firstPauseMs = 500;
const longestPauseMs = 5000;

async function endOf(
  context: RunContext,
  started: RunningAttempt,
  run: ReturnType<typeof trackRun>,
  onError: (error: unknown) => void,
): Promise<RunEnd> {
  try {
    const { values, ...ended } = await callFunction(context, started, run);
    return { kind: 'ended', ...ended, values: fit(context, values, run.log) };
  } catch (error) {
    const stopped: unknown = run.stopping.signal.reason;
    if (stopped instanceof Stopped) {
      return { kind: stopped.returned ? 'returned' : 'permanent', reason: stopped.message };
    }
    if (error instanceof Paused) return { kind: 'paused', seconds: error.seconds };
    if (error instanceof PermanentFailure) return { kind: 'permanent', reason: mask(error.message, started.secret) };
    if (error instanceof TemporaryFailure) {
      const { message, said, host } = error;
      return {
        kind: 'temporary',
        reason: mask(message, started.secret),
        cause: said && mask(said, started.secret),
        host,
      };
    }
    // An error of the worker itself, such as a lost database connection. Its message is for operators only.
    onError(error);
    return { kind: 'temporary', reason: 'The worker failed. Its log contains the cause.' };
  }
}

/** A run whose values were too large could not be recorded. */
function fit({ engine: { maxValuesBytes } }: RunContext, given: Record<string, unknown>, log: (text: string) => void) {
  const { values, shortened } = fitValues(given, maxValuesBytes);
  for (const name of shortened) log(`${name} was shortened: result values have at most ${maxValuesBytes} bytes.`);
  return values;
}

async function callFunction(
  { links, functions }: RunContext,
  started: RunningAttempt,
  { stopping, log }: ReturnType<typeof trackRun>,
) {
  const { function: name, callback_arguments: given } = started.execution;
  if (!isBuiltIn(name)) throw new PermanentFailure(`Unknown function ${name}.`);
  const source = runSource(links, started);
  return functions[name]({
    ...source,
    arguments: renderPlaceholders(given, source),
    signal: stopping.signal,
    log,
    trace: started.trace,
  });
}
