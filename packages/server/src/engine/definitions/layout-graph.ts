/**
 * Where the states of a workflow stand in its picture: in layers from the start on, each state behind all that lead to it,
 * and within a layer near its neighbours, so that few ways cross. Where states lead round in a circle, the first of them
 * that is led to from before, in the order of the definition, is its beginning. Parallel ways count once, and a way to itself not at all.
 */
export interface Graph {
  start: number;
  /** In definition order. */
  states: readonly number[];
  edges: readonly (readonly [from: number, to: number])[];
}

export interface Place {
  id: number;
  /** 0 is where experiments start. */
  layer: number;
  /** Around 0, which is the middle. */
  slot: number;
}

type Neighbours = ReadonlyMap<number, ReadonlySet<number>>;

const mostSweeps = 12;

/** `isLate` stops what only makes the picture nicer. */
export function layOutGraph({ start, states, edges }: Graph, isLate: () => boolean): Place[] {
  const ways = edges.filter(([from, to]) => from !== to);
  const next = neighbours(ways);
  const before = neighbours(ways.map(([from, to]) => [to, from]));
  const ordered = [...states].toSorted((a, b) => Number(b === start) - Number(a === start));
  let layers = layersOf(ordered, next, before);
  for (let sweep = 0; sweep < mostSweeps && !isLate(); sweep++) layers = swept(layers, sweep % 2 === 0 ? before : next);
  return layers.flatMap((layer, index) => layer.map((id, place) => ({ id, layer: index, slot: slotOf(layer, place) })));
}

const slotOf = (layer: readonly number[], place: number) => place - (layer.length - 1) / 2;

function neighbours(edges: readonly (readonly [number, number])[]): Neighbours {
  const found = new Map<number, Set<number>>();
  for (const [from, to] of edges) found.set(from, (found.get(from) ?? new Set()).add(to));
  return found;
}

/** Takes states once all that lead to them were taken; in a circle nothing is left to take, and the first one begins it. */
function layersOf(states: readonly number[], next: Neighbours, before: Neighbours): number[][] {
  const left = new Set(states);
  const waiting = new Map(states.map((id) => [id, before.get(id)?.size ?? 0]));
  const depth = new Map<number, number>();
  const ready = states.filter((id) => waiting.get(id) === 0);
  for (
    let id = ready.shift() ?? beginningOf(left, depth);
    id !== undefined;
    id = ready.shift() ?? beginningOf(left, depth)
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

/** Of a circle: the first state that was led to already, or just the first. */
const beginningOf = (left: ReadonlySet<number>, depth: ReadonlyMap<number, number>): number | undefined =>
  [...left].find((id) => depth.has(id)) ?? left.values().next().value;

/** Each state moves to the middle of those it is joined to on one side; those of equal middle keep their order. */
function swept(layers: readonly number[][], joined: Neighbours): number[][] {
  const slots = new Map(
    layers.flatMap((layer) => layer.map((id, place): [number, number] => [id, slotOf(layer, place)])),
  );
  const middle = (id: number) => {
    const around = [...(joined.get(id) ?? [])].map((other) => slots.get(other) ?? 0);
    return around.length === 0 ? (slots.get(id) ?? 0) : around.reduce((sum, slot) => sum + slot, 0) / around.length;
  };
  return layers.map((layer) => {
    const sorted = layer.toSorted((a, b) => middle(a) - middle(b));
    sorted.forEach((id, place) => slots.set(id, slotOf(sorted, place)));
    return sorted;
  });
}
