/**
 * What a callback function is: it gets everything about one attempt and ends with a result, or throws. How it throws
 * decides what follows (rule 14): a passing failure is tried again, everything else is the end of the execution.
 */

/** A thing of the study with its addresses. */
interface Addressed {
  id: number;
  apiUri: string;
  webUri: string;
}

export interface Run {
  /** The callback's arguments, with every placeholder filled in. */
  arguments: Readonly<Record<string, unknown>>;
  execution: Addressed & { attempt: number; secret: string };
  action: Addressed;
  experiment: Addressed & {
    label: string;
    externalIds: Readonly<Record<string, string>>;
    /** By their names. Absent is none. */
    variables?: Readonly<Record<string, unknown>>;
  };
  subject: Addressed & { label: string; externalIds: Readonly<Record<string, string>> };
  cohort: { id: number; label: string };
  /** The address of each external system by its name. */
  externalSystems: Readonly<Record<string, string>>;
  /** Whether the execution waits for a report after a successful run. */
  waitsAfterwards: boolean;
  /** Aborted when the run must stop: its time is over, somebody decided, or the worker is about to end. */
  signal: AbortSignal;
  /** Appends to the log of this attempt. */
  log: (text: string) => void;
}

export interface Ended {
  result: 'success' | 'failed';
  values: Record<string, unknown>;
  /** Why it failed, in a sentence. */
  reason?: string;
}

export type CallbackFunction = (run: Run) => Promise<Ended>;

/** Would perhaps go well later: no connection, an overloaded or broken counterpart. */
export class PassingFailure extends Error {
  override readonly name = 'PassingFailure';
}

/** Would go wrong again in the same way: bad arguments, a refusal. */
export class LastingFailure extends Error {
  override readonly name = 'LastingFailure';
}
