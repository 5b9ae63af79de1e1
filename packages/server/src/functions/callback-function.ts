/**
 * The type of callback functions. A function gets everything about one attempt and returns a result or throws. A temporary
 * failure is retried (rule 14), and a paused run continues later. Any other failure ends the execution.
 */

import type { TraceContext } from '../tracing/span.ts';

interface WithUris {
  id: number;
  apiUri: string;
  webUri: string;
}

export interface Run {
  /** The callback's arguments, with every placeholder filled in. */
  arguments: Readonly<Record<string, unknown>>;
  execution: WithUris & {
    attempt: number;
    secret: string;
    created: string;
    /** Since the first attempt started. */
    runningSeconds: number;
  };
  action: WithUris;
  experiment: WithUris & {
    label: string;
    externalIds: Readonly<Record<string, string>>;
    /** By name. */
    variables?: Readonly<Record<string, unknown>>;
  };
  subject: WithUris & { label: string; externalIds: Readonly<Record<string, string>> };
  cohort: { id: number; label: string };
  /** The URL of each external system by name. */
  externalSystems: Readonly<Record<string, string>>;
  /** Whether the execution waits for a report after a successful run. */
  waitsForReport: boolean;
  /** Aborted when the run must stop: it timed out, its execution was resolved, or the worker is stopping. */
  signal: AbortSignal;
  /** Appends to the log of this attempt. */
  log: (text: string) => void;
  /** Where requests and programs belong in a trace. Undefined if traces are off. */
  trace?: TraceContext | undefined;
}

export interface RunResult {
  result: 'success' | 'failed';
  values: Record<string, unknown>;
  /** Why it failed, as a sentence. */
  reason?: string;
  /** What the program or the called server said about it. */
  cause?: string | undefined;
}

export type CallbackFunction = (run: Run) => Promise<RunResult>;

/** Not a failure: the run continues with a new attempt after a pause, in which it occupies no slot of a worker. */
export class Paused extends Error {
  override readonly name = 'Paused';
  readonly seconds: number;
  constructor(seconds: number) {
    super(`The run continues in ${seconds} s.`);
    this.seconds = seconds;
  }
}

interface FailedHost {
  host: string | undefined;
  said: string | undefined;
}

/** A retry may succeed: no connection, or an overloaded or failing server. */
export class TemporaryFailure extends Error {
  override readonly name = 'TemporaryFailure';
  /** The host that failed, if it was one. Retries to one host are paced. */
  readonly host: string | undefined;
  /** What it said. `cause` is the name of another property of errors. */
  readonly said: string | undefined;
  constructor(message: string, { host, said, ...options }: ErrorOptions & Partial<FailedHost> = {}) {
    super(message, options);
    this.host = host;
    this.said = said;
  }
}

/** A retry would fail in the same way: invalid arguments, or a rejected request. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure';
}
