/** The attempt, duration and worker of an execution as text. */
import type { BodyOf } from '../api/operation-query.ts';
import { preciseDurationText } from '../ui/times.ts';

export type TimelineAction = BodyOf<'getExperimentTimeline'>['actions'][number];
export type TimelineExecution = TimelineAction['executions'][number];

export const elapsedText = (from: string, to: string): string =>
  preciseDurationText((Date.parse(to) - Date.parse(from)) / 1000);

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
