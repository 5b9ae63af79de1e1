/** Reads from the output of a fault test whether it has found a planted bug. */

export interface Planted {
  test: string;
  /** The beginning of the checker's name, or the output of a test without checkers. */
  caughtBy: string | RegExp;
}

export type Outcome = 'caught' | 'not caught' | 'not finished';

/** Only the assigned checker counts. Other checkers may report the bug, too. */
export function outcomeOf(output: string, { caughtBy }: Planted): Outcome {
  const [, verdict] = /^\S+ \(\w+\), seed \d+, \d+ s: (passed|failed)$/m.exec(output) ?? [];
  if (verdict === undefined) return 'not finished';
  return verdict === 'failed' && isReported(output, caughtBy) ? 'caught' : 'not caught';
}

function isReported(output: string, caughtBy: string | RegExp): boolean {
  if (caughtBy instanceof RegExp) return caughtBy.test(output);
  return output.split('\n').some((line) => /FAILED \d+ times: /.test(line) && line.includes(`: ${caughtBy}`));
}
