/**
 * Runs one attempt of a callback by one of our own functions: fills in its arguments, keeps its lease, and writes how it
 * ended. A run whose lease was lost, or that somebody decided, is stopped at the next heartbeat.
 */
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
  };
}

export async function runAttempt(
  workshop: Workshop,
  started: RunningAttempt,
  held: ReturnType<typeof holdRun>,
): Promise<EndedAs> {
  const end = await endOf(workshop, started, held);
  const { executionId, attempt } = held;
  return endRun(workshop.moving, { executionId, attempt, end, log: held.takeLog() });
}

async function endOf(workshop: Workshop, started: RunningAttempt, held: ReturnType<typeof holdRun>): Promise<RunEnd> {
  try {
    const { result, values, reason } = await callFunction(workshop, started, held);
    return { kind: 'ended', result, values, reason };
  } catch (error) {
    const reason = mask(error instanceof Error ? error.message : String(error), started.secret);
    const stopped: unknown = held.stopping.signal.reason;
    if (stopped instanceof Stopped && stopped.givenBack) return { kind: 'given_back', reason: stopped.message };
    if (error instanceof PassingFailure) return { kind: 'passing', reason };
    if (!(error instanceof LastingFailure)) held.log('The run ended in an error of our own.');
    return { kind: 'lasting', reason };
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
