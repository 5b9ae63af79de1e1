/** What every test answers. */
/**
 * full: judges by seconds, too. smoke: for the gate, judges only what happens. quick: just enough for a planted bug to show, judges
 * by seconds, too.
 */
export type Size = 'full' | 'smoke' | 'quick';

export type Verdict = 'passed' | 'failed';

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
