/** What every test answers. */
/** quick: just enough to see a fault that is there, for planted ones. */
export type Size = 'full' | 'smoke' | 'quick';

/** void: nothing was found, but the run did not meet what it was made for. */
export type Verdict = 'passed' | 'failed' | 'void';

export interface Result {
  test: string;
  size: Size;
  seed: number;
  at: string;
  machine: string;
  verdict: Verdict;
  /** For people, without the first line. */
  lines: string[];
  /** For machines. */
  figures: object;
}

export interface Task {
  size: Size;
  seed: number;
  /** Where its logs go. */
  folder: string;
}

export type Outcome = Pick<Result, 'verdict' | 'lines' | 'figures'>;

export type Test = (task: Task) => Promise<Outcome>;
