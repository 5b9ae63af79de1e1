/** What stands in the logs of a run, one line for each thing that happened. Times are in ms since 1970. */
import { readFile } from 'node:fs/promises';

/** ok: it was answered with success. refused: it was answered that nothing happened. unknown: anything else. */
export type Outcome = 'ok' | 'refused' | 'unknown';

/** Written before the request is sent. */
export interface Intent {
  kind: 'intent';
  at: number;
  /** Names what is wanted; the same in all its tries, and recorded with what comes of it. */
  token: string;
  /** 1 for the first; a later one repeats it with the same key. */
  try: number;
  /** Of a move: which experiment, and where to. */
  move?: { experiment: number; to: string };
  /** Of a report: on which attempt of which execution. */
  report?: { execution: number; attempt: number };
}

export interface Answered {
  kind: 'outcome';
  at: number;
  token: string;
  try: number;
  outcome: Outcome;
  /** 0 where there was no answer. */
  status: number;
  /** False where nobody took the connection: then nothing can have come of it. */
  sent: boolean;
  code?: string;
  /** Whether it is the answer that was kept for the key. */
  replayed: boolean;
  /** Whether it says when to come again. */
  retryAfter: boolean;
  /** Of the body, where it was a success. */
  digest?: string;
}

/** Before the faults. */
export interface Created {
  kind: 'created';
  experiment: number;
}

export type DriverLine = Intent | Answered | Created;

/** A callback has called; written before it is answered. */
export interface ReceivedRun {
  kind: 'run';
  at: number;
  execution: number;
  attempt: number;
  /** What it is answered with. */
  status: number;
}

export interface FaultLine {
  kind: 'fault' | 'back' | 'exit';
  at: number;
  /** Such as `kill worker`. */
  what: string;
  /** Such as `server 1`. */
  member?: string;
  /** As attempts carry it. */
  worker?: string;
  count?: number;
}

export async function readLines<T>(file: string): Promise<T[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as T);
}
