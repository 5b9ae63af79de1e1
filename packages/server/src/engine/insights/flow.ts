/** The rows of Insights from the moves, stays and present experiments of a workflow. */
import type { Figures, InsightState, Level, WeekOfMoves } from '../../store/insights/read-figures.ts';
import { quantiles } from './quantiles.ts';

export interface FlowOfWeek {
  week: string;
  state: InsightState;
  arrived: number;
  entered: number;
  /** Those that entered from a state that is not final, or arrived. 0 if the state is not final. */
  finished: number;
  left: number;
  experiments: number;
}

const sum = <T>(items: readonly T[], of: (item: T) => number) => items.reduce((total, item) => total + of(item), 0);

const levelIn = ({ levels }: Figures, { id }: InsightState): Omit<Level, 'state_id'> =>
  levels.find(({ state_id }) => state_id === id) ?? { experiments: 0, present_s: 0, oldest: null };

/** By week and state, oldest first. The experiments at the end of a week are those of now without the moves since. */
export function flowOf(figures: Figures, states: readonly InsightState[], weeks: readonly string[]): FlowOfWeek[] {
  const finals = new Set(states.flatMap(({ id, is_final }) => (is_final ? [id] : [])));
  const byState = states.map((state) => flowOfState(figures, { state, finals }, weeks));
  const shown = byState.filter((rows) =>
    rows.some(({ entered, left, experiments }) => entered + left + experiments > 0),
  );
  return weeks.flatMap((_, index) => shown.flatMap((rows) => rows[index] ?? []));
}

interface Counted {
  state: InsightState;
  finals: ReadonlySet<number>;
}

function flowOfState(figures: Figures, { state, finals }: Counted, weeks: readonly string[]): FlowOfWeek[] {
  const moves = Map.groupBy(figures.moves, ({ week }) => week);
  let { experiments } = levelIn(figures, state);
  return weeks
    .toReversed()
    .map((week) => {
      const row = { week, state, ...movesOf(moves.get(week) ?? [], { state, finals }), experiments };
      experiments -= row.entered - row.left;
      return row;
    })
    .toReversed();
}

function movesOf(moves: readonly WeekOfMoves[], { state, finals }: Counted) {
  const into = moves.filter(({ destination_id }) => destination_id === state.id);
  const finishing = into.filter(({ source_id }) => state.is_final && !(source_id !== null && finals.has(source_id)));
  return {
    arrived: sum(
      into.filter(({ source_id }) => source_id === null),
      (one) => one.moves,
    ),
    entered: sum(into, (one) => one.moves),
    finished: sum(finishing, (one) => one.moves),
    left: sum(
      moves.filter(({ source_id }) => source_id === state.id),
      (one) => one.moves,
    ),
  };
}

export interface Traffic {
  source: InsightState;
  destination: InsightState;
  moves: number;
}

/** The moves between states, in the order of the sources and destinations. Arrivals are none. */
export function trafficOf({ moves }: Pick<Figures, 'moves'>, states: readonly InsightState[]): Traffic[] {
  const counted = new Map<string, number>();
  for (const { source_id, destination_id, moves: more } of moves) {
    const key = `${source_id} ${destination_id}`;
    counted.set(key, (counted.get(key) ?? 0) + more);
  }
  return states.flatMap((source) =>
    states.flatMap((destination) => {
      const total = counted.get(`${source.id} ${destination.id}`) ?? 0;
      return total > 0 ? [{ source, destination, moves: total }] : [];
    }),
  );
}

export interface StaysInState {
  state: InsightState;
  stays: number;
  /** The 10, 25, 50, 75 and 90 % quantiles in seconds. */
  quantiles: (number | null)[];
  totalSeconds: number;
  /** The time of the present stays so far. A final state has none. */
  presentSeconds: number;
  share: number;
  experiments: number;
  /** When the experiment that is longest in the state entered it. Null in a final state. */
  oldest: string | null;
}

/** In the order of the states, without retired ones that are empty. */
export function staysOf(figures: Figures, states: readonly InsightState[]): StaysInState[] {
  const rows = states.map((state) => ({ ...endedIn(figures, state), ...presentIn(figures, state) }));
  const total = sum(rows, timeIn);
  return rows
    .filter(({ state, stays, experiments }) => !state.is_retired || stays + experiments > 0)
    .map((row) => ({ ...row, share: total === 0 ? 0 : timeIn(row) / total }));
}

const timeIn = ({ totalSeconds, presentSeconds }: Pick<StaysInState, 'totalSeconds' | 'presentSeconds'>) =>
  totalSeconds + presentSeconds;

function endedIn(figures: Figures, state: InsightState): Pick<StaysInState, 'stays' | 'quantiles' | 'totalSeconds'> {
  const own = figures.stays.filter(({ state_id }) => state_id === state.id);
  const moves = figures.moves.filter(({ source_id }) => source_id === state.id);
  const values = own.map(({ ms, stays }) => ({ value: ms, count: stays }));
  const lengths = quantiles(values, [0.1, 0.25, 0.5, 0.75, 0.9]);
  return {
    stays: sum(own, ({ stays }) => stays),
    quantiles: lengths.map((ms) => (ms === null ? null : Math.round(ms) / 1000)),
    totalSeconds: sum(moves, ({ stayed_ms }) => stayed_ms) / 1000,
  };
}

/** Experiments in a final state do not wait. */
function presentIn(
  figures: Figures,
  state: InsightState,
): Pick<StaysInState, 'state' | 'experiments' | 'presentSeconds' | 'oldest'> {
  const { experiments, present_s, oldest } = levelIn(figures, state);
  return state.is_final
    ? { state, experiments, presentSeconds: 0, oldest: null }
    : { state, experiments, presentSeconds: present_s, oldest };
}
