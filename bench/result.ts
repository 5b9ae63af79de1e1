/** The result of a benchmark, as printed and stored. */

export interface Row {
  name: string;
  /** Null: the figure is for orientation. */
  goal: number | null;
  figure: number;
  unit: string;
  /** The difference between the largest and the smallest value. */
  spread: number;
  /** Null without a goal. */
  met: boolean | null;
  /** The figure of each round. */
  rounds?: readonly number[];
  /**
   * The same ratio from the CPU time per operation of load, Node and PostgreSQL. It differs from the figure if something else than
   * CPU limits one side, or if other processes take CPU from both: Node then gets less of it than many connections to PostgreSQL.
   */
  byCpu?: number;
  /** What limits the figure, in one sentence. */
  limit: string;
  /** Further figures by name. */
  detail?: Readonly<Record<string, number>>;
}

interface Measured extends Pick<Row, 'name' | 'unit' | 'byCpu' | 'limit' | 'detail'> {
  rounds: readonly number[];
}

/** The median of the rounds. */
function rowOf({ rounds, ...measured }: Measured) {
  if (rounds.length === 0) throw new Error(`${measured.name} was not measured.`);
  return { ...measured, figure: rounded(median(rounds)), spread: spreadOf(rounds), rounds: rounds.map(rounded) };
}

/** A figure that should be at least as large as its goal. */
export function atLeast(goal: number, measured: Measured): Row {
  const row = rowOf(measured);
  return { ...row, goal, met: row.figure >= goal };
}

/** A figure that should be at most as large as its goal. */
export function atMost(goal: number, measured: Measured): Row {
  const row = rowOf(measured);
  return { ...row, goal, met: row.figure <= goal };
}

export const withoutGoal = (measured: Measured): Row => ({ ...rowOf(measured), goal: null, met: null });

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export const spreadOf = (values: readonly number[]): number => rounded(Math.max(...values) - Math.min(...values));

export const rounded = (value: number): number => Number(value.toFixed(3));
