/** The attempt, duration and worker of an execution as text. */
import type { BodyOf } from '../api/operation-query.ts';
import { durationText } from '../ui/times.ts';

export type TimelineAction = BodyOf<'getExperimentTimeline'>['actions'][number];
export type TimelineExecution = TimelineAction['executions'][number];

/** `0.4 s`, `2 min 5 s`. */
export function elapsedText(from: string, to: string): string {
  const seconds = Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
  return seconds < 10 ? `${seconds.toFixed(1)} s` : durationText(seconds);
}

type Described = Pick<TimelineExecution, 'attempt' | 'run_start' | 'finished' | 'worker'>;

/** `attempt 5 · 18 min · hpc-07`. */
export const executionText = ({ attempt, run_start, finished, worker }: Described): string =>
  [
    attempt > 1 ? `attempt ${attempt}` : '',
    run_start !== null && finished !== null ? elapsedText(run_start, finished) : '',
    worker,
  ]
    .filter((part) => part !== '')
    .join(' · ');

export const isOpen = ({ status }: Pick<TimelineExecution, 'status'>): boolean =>
  status !== 'finished' && status !== 'skipped';
