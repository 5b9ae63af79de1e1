/** What the box of a state shows of its counts: the thin bar of proportions, and the exception at the right. */
import type { StateCounts } from '../use-workflow.ts';

export type Counts = Omit<StateCounts, 'state'>;

/** The parts of the bar, most urgent first. */
export const barKinds = [
  { kind: 'failed', word: 'Failed' },
  { kind: 'overdue', word: 'Overdue' },
  { kind: 'decide', word: 'To decide' },
  { kind: 'running', word: 'Running' },
  { kind: 'waiting', word: 'Waiting' },
] as const;

type BarKind = (typeof barKinds)[number]['kind'];

const overdueIn = ({ decide_overdue: decisions, waiting_overdue: waits }: Counts) => decisions + waits;

/** Each experiment is in one part at most. Blocked ones are shown with the failed ones. */
export function barParts(counts: Counts): { kind: BarKind; number: number }[] {
  const numbers: Record<BarKind, number> = {
    failed: counts.attention - counts.decide - counts.waiting_overdue,
    overdue: overdueIn(counts),
    decide: counts.decide - counts.decide_overdue,
    running: counts.running,
    waiting: counts.waiting - counts.waiting_overdue,
  };
  return barKinds.map(({ kind }) => ({ kind, number: numbers[kind] })).filter(({ number }) => number > 0);
}

/** The exceptions in a state, most urgent first. */
export const exceptionsIn = (counts: Counts) =>
  [
    { kind: 'failed', number: counts.failed, word: 'failed' },
    { kind: 'failed', number: counts.timed_out, word: 'timed out' },
    { kind: 'overdue', number: overdueIn(counts), word: 'overdue' },
    { kind: 'blocked', number: counts.blocked, word: 'blocked' },
    { kind: 'retrying', number: counts.retrying, word: 'retrying' },
  ].filter(({ number }) => number > 0);

/** `93.8%`, `0.4%`, `< 0.1%`, `100%`. */
export function percentText(part: number, all: number): string {
  const percent = (100 * part) / all;
  if (percent > 0 && percent < 0.1) return '< 0.1%';
  return `${percent % 1 === 0 ? percent : Math.min(99.9, percent).toFixed(1)}%`;
}
