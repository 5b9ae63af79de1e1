/** The lines of the logs of a run, one for each event. Times are in ms since 1970. */
import { readFile } from 'node:fs/promises';

/** ok: a response with success. rejected: a response that nothing was changed. unknown: anything else. */
export type Outcome = 'ok' | 'rejected' | 'unknown';

/** Written before the request is sent. */
export interface Intent {
  kind: 'intent';
  at: number;
  /** Identifies the change. It is the same in all attempts and is recorded with the change. */
  token: string;
  /** The number of the attempt. Later attempts repeat the first one with the same key. */
  try: number;
  move?: { experiment: number; to: string };
  report?: { execution: number; attempt: number };
}

export interface OutcomeLine {
  kind: 'outcome';
  at: number;
  token: string;
  try: number;
  outcome: Outcome;
  /** 0 if there was no response. */
  status: number;
  /** False if the connection was not accepted, so that nothing can have changed. */
  sent: boolean;
  code?: string;
  /** Whether it is the stored response of the key. */
  replayed: boolean;
  /** Whether it has a Retry-After header. */
  retryAfter: boolean;
  /** The digest of the body of a successful response. */
  digest?: string;
}

/** Written before the faults. */
export interface Created {
  kind: 'created';
  experiment: number;
}

export type DriverLine = Intent | OutcomeLine | Created;

/** A call of a callback, written before the response. */
export interface ReceivedRun {
  kind: 'run';
  at: number;
  execution: number;
  attempt: number;
  /** The status of the response. */
  status: number;
}

export interface FaultLine {
  kind: 'fault' | 'back' | 'exit';
  at: number;
  /** Such as `kill worker`. */
  what: string;
  /** Such as `server 1`. */
  member?: string;
  /** The name of the worker in its attempts. */
  worker?: string;
  count?: number;
}

export async function readLines<T>(file: string): Promise<T[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as T);
}
