/**
 * Lays out the graph of a workflow. Each state is in a layer after all states that lead to it, and within a layer near its
 * neighbours, so that few edges cross. A loop starts at its first state, in definition order, that an earlier layer leads to.
 * Parallel edges count once, and edges from a state to itself are ignored.
 */
export interface Graph {
  start: number;
  /** In definition order. */
  states: readonly number[];
  edges: readonly (readonly [from: number, to: number])[];
}

export interface Place {
  id: number;
  /** The initial state is in layer 0. */
  layer: number;
  /** Relative to the middle of the layer, which is 0. */
  slot: number;
}

type Neighbours = ReadonlyMap<number, ReadonlySet<number>>;

const maxSweeps = 12;

/** `isLate` stops the sweeps that only reduce crossings. */
export function layOutGraph({ start, states, edges }: Graph, isLate: () => boolean): Place[] {
  const others = edges.filter(([from, to]) => from !== to);
  const next = neighbours(others);
  const before = neighbours(others.map(([from, to]) => [to, from]));
  const ordered = [...states].toSorted((a, b) => Number(b === start) - Number(a === start));
  let layers = layersOf(ordered, next, before);
  for (let sweep = 0; sweep < maxSweeps && !isLate(); sweep++) layers = swept(layers, sweep % 2 === 0 ? before : next);
  return layers.flatMap((layer, index) => layer.map((id, place) => ({ id, layer: index, slot: slotOf(layer, place) })));
}

const slotOf = (layer: readonly number[], place: number) => place - (layer.length - 1) / 2;

function neighbours(edges: readonly (readonly [number, number])[]): Neighbours {
  const found = new Map<number, Set<number>>();
  for (const [from, to] of edges) found.set(from, (found.get(from) ?? new Set()).add(to));
  return found;
}

/** Takes a state when all states that lead to it are taken. If only loops are left, takes the start of one. */
function layersOf(states: readonly number[], next: Neighbours, before: Neighbours): number[][] {
  const left = new Set(states);
  const waiting = new Map(states.map((id) => [id, before.get(id)?.size ?? 0]));
  const depth = new Map<number, number>();
  const ready = states.filter((id) => waiting.get(id) === 0);
  for (
    let id = ready.shift() ?? startOfLoop(left, depth);
    id !== undefined;
    id = ready.shift() ?? startOfLoop(left, depth)
  ) {
    left.delete(id);
    for (const to of next.get(id) ?? []) {
      if (!left.has(to)) continue;
      depth.set(to, Math.max(depth.get(to) ?? 0, (depth.get(id) ?? 0) + 1));
      const missing = (waiting.get(to) ?? 0) - 1;
      waiting.set(to, missing);
      if (missing === 0) ready.push(to);
    }
  }
  const layers: number[][] = [];
  for (const id of states) (layers[depth.get(id) ?? 0] ??= []).push(id);
  return layers;
}

/** The first remaining state that a taken state leads to, or else the first remaining one. */
const startOfLoop = (left: ReadonlySet<number>, depth: ReadonlyMap<number, number>): number | undefined =>
  [...left].find((id) => depth.has(id)) ?? left.values().next().value;

/** Sorts each layer by the average slot of the neighbours on one side. Equal states keep their order. */
function swept(layers: readonly number[][], side: Neighbours): number[][] {
  const slots = new Map(
    layers.flatMap((layer) => layer.map((id, place): [number, number] => [id, slotOf(layer, place)])),
  );
  const middle = (id: number) => {
    const around = [...(side.get(id) ?? [])].map((other) => slots.get(other) ?? 0);
    return around.length === 0 ? (slots.get(id) ?? 0) : around.reduce((sum, slot) => sum + slot, 0) / around.length;
  };
  return layers.map((layer) => {
    const sorted = layer.toSorted((a, b) => middle(a) - middle(b));
    sorted.forEach((id, place) => slots.set(id, slotOf(sorted, place)));
    return sorted;
  });
}
