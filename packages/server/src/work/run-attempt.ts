/**
 * Runs one attempt of a callback by one of our own functions: fills in its arguments, keeps its lease, and writes how it
 * ended. A run whose lease was lost, or that somebody decided, is stopped at the next heartbeat.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { endRun, type EndedAs, type RunEnd } from '../engine/executions/end-run.ts';
import type { RunningAttempt } from '../engine/executions/start-attempts.ts';
import type { Moving } from '../engine/settle.ts';
import { LastingFailure, PassingFailure, type CallbackFunction } from '../functions/callback-function.ts';
import { mask } from '../functions/mask.ts';
import { renderPlaceholders } from '../functions/render-placeholders.ts';
import { runSource } from '../functions/run-source.ts';
import { isBuiltIn, type BuiltInFunction } from '../jobs/queue-names.ts';
import type { Links } from '../links.ts';

export interface Workshop {
  moving: Moving;
  links: Links;
  functions: Readonly<Record<BuiltInFunction, CallbackFunction>>;
  externalSystems: () => Promise<Readonly<Record<string, string>>>;
}

/** A run that goes on, as the heartbeats see it. */
export interface HeldRun {
  executionId: number;
  attempt: number;
  stopping: AbortController;
  /** What it said since it was last asked. */
  takeLog: () => string;
  /** What was taken and could not be sent. */
  putLogBack: (log: string) => void;
}

/** Why a run is stopped from outside. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  /** Whether it goes to another worker. */
  readonly givenBack: boolean;
  constructor(reason: string, { givenBack }: { givenBack: boolean }) {
    super(reason);
    this.givenBack = givenBack;
  }
}

export function holdRun({ execution, attempt }: RunningAttempt): HeldRun & { log: (text: string) => void } {
  let said = '';
  return {
    executionId: execution.id,
    attempt,
    stopping: new AbortController(),
    log: (text) => {
      said += text.endsWith('\n') ? text : `${text}\n`;
    },
    takeLog: () => {
      const log = said;
      said = '';
      return log;
    },
    putLogBack: (log) => {
      said = log + said;
    },
  };
}

/**
 * What ended must not run again because its end could not be written: it is tried until it is, or until the lease is
 * somebody else's. The heartbeats go on meanwhile.
 */
export async function runAttempt(
  workshop: Workshop,
  started: RunningAttempt,
  held: ReturnType<typeof holdRun>,
  onError: (error: unknown) => void,
): Promise<EndedAs> {
  const end = await endOf(workshop, started, held, onError);
  const { executionId, attempt, stopping } = held;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const log = held.takeLog();
    try {
      return await endRun(workshop.moving, { executionId, attempt, end, log });
    } catch (error) {
      held.putLogBack(log);
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
  workshop: Workshop,
  started: RunningAttempt,
  held: ReturnType<typeof holdRun>,
  onError: (error: unknown) => void,
): Promise<RunEnd> {
  try {
    const { result, values, reason } = await callFunction(workshop, started, held);
    return { kind: 'ended', result, values, reason };
  } catch (error) {
    const stopped: unknown = held.stopping.signal.reason;
    if (stopped instanceof Stopped) {
      return { kind: stopped.givenBack ? 'given_back' : 'lasting', reason: stopped.message };
    }
    if (error instanceof LastingFailure) return { kind: 'lasting', reason: mask(error.message, started.secret) };
    if (error instanceof PassingFailure) return { kind: 'passing', reason: mask(error.message, started.secret) };
    // Of our own making: the database went away, or a mistake. What it says is for operators.
    onError(error);
    return { kind: 'passing', reason: 'The worker met an error of its own; its log has the cause.' };
  }
}

async function callFunction(
  { links, functions, externalSystems }: Workshop,
  started: RunningAttempt,
  { stopping, log }: ReturnType<typeof holdRun>,
) {
  const { function: name, callback_arguments: given } = started.execution;
  if (!isBuiltIn(name)) throw new LastingFailure(`There is no function ${name} here.`);
  const source = runSource(links, started, await externalSystems());
  return functions[name]({ ...source, arguments: renderPlaceholders(given, source), signal: stopping.signal, log });
}
