/** The result of a fault test. */

/** full and quick also check durations. smoke is for the gate and checks only events. quick is just enough for planted bugs. */
export type Size = 'full' | 'smoke' | 'quick';

export type Verdict = 'passed' | 'failed';

export interface Result {
  test: string;
  size: Size;
  seed: number;
  at: string;
  machine: string;
  verdict: Verdict;
  /** The printed report, without its first line. */
  lines: string[];
  /** The machine-readable report. */
  figures: object;
}

export interface Task {
  size: Size;
  seed: number;
  /** The folder of the logs. */
  folder: string;
}

export type Outcome = Pick<Result, 'verdict' | 'lines' | 'figures'>;

export type Test = (task: Task) => Promise<Outcome>;
