/**
 * What something costs, in milliseconds that a thread worked. Others on the machine make it more (caches, cores that are
 * shared, time taken away from the whole machine) and never less: so a run that is within the limits ends the search.
 */
const mostRuns = 10;

export const workedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** The least of some runs. */
export function leastWork<Result>(limitMs: number, work: () => Result): { result: Result; ms: number } {
  const run = () => {
    const before = workedMs();
    const result = work();
    const ms = workedMs() - before;
    return { result, ms: ms < limitMs ? ms : ms / slowness() };
  };
  let best = run();
  for (let runs = 1; runs < mostRuns && best.ms >= limitMs; runs++) {
    const next = run();
    if (next.ms < best.ms) best = next;
  }
  return best;
}

/**
 * For what costs in several ways, or by the clock: of the first run that is within all limits, or else of the last. As a
 * machine from which others take time is slow for minutes, costs are told as they would be on one that is left alone.
 */
export async function leastCosts<Name extends string>(
  limits: Record<Name, number>,
  run: () => Promise<Record<Name, number>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(limits) as Name[];
  for (let runs = 1; ; runs++) {
    const before = slowness();
    const cost = await run();
    const slower = Math.max(before, slowness());
    for (const name of names) cost[name] /= slower;
    if (runs === mostRuns || names.every((name) => cost[name] < limits[name])) return cost;
    process.stdout.write(`again, on a machine ${slower.toFixed(1)} times slower: ${JSON.stringify(cost)}\n`);
  }
}

const yardstick = 20_000_000;
/** What it takes on the machine on which limits were set, when nobody else is there. */
const yardstickMs = 24;

/** Kept, or the loop might be left out as nobody asks for its result. */
let number = 1;

/** How much slower this machine is just now; 1 where it is not. */
function slowness(): number {
  const begun = performance.now();
  let next = number;
  for (let count = 0; count < yardstick; count++) next = (Math.imul(next, 1_664_525) + 1_013_904_223) | 0;
  number = next;
  return Math.max(1, (performance.now() - begun) / yardstickMs);
}
