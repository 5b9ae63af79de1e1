/** What is said of an execution beside its outcome. */
import type { BodyOf } from '../api/operation-query.ts';
import { durationWords } from '../shown/times.ts';

export type TimelineAction = BodyOf<'getExperimentTimeline'>['actions'][number];
export type TimelineExecution = TimelineAction['executions'][number];

/** `0.4 s`, `2 min 5 s`. */
export function tookWords(from: string, to: string): string {
  const seconds = Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
  return seconds < 10 ? `${seconds.toFixed(1)} s` : durationWords(seconds);
}

type Told = Pick<TimelineExecution, 'attempt' | 'run_start' | 'finished' | 'worker'>;

/** `attempt 5 · 18 min · hpc-07`. */
export const executionWords = ({ attempt, run_start, finished, worker }: Told): string =>
  [
    attempt > 1 ? `attempt ${attempt}` : '',
    run_start !== null && finished !== null ? tookWords(run_start, finished) : '',
    worker,
  ]
    .filter((part) => part !== '')
    .join(' · ');

export const isOpen = ({ status }: Pick<TimelineExecution, 'status'>): boolean =>
  status !== 'finished' && status !== 'skipped';
