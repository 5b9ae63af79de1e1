/** Graphs of workflows for tests of their layout: the demo's, and random ones that look like real workflows. */
import { readFileSync } from 'node:fs';
import { readDefinitionFile } from '@milepost/definitions';
import type { Drawing } from '../src/engine/workflows/drawing.ts';
import { hitsBox, segmentsOf } from '../src/engine/workflows/drawing.ts';
import type { Graph } from '../src/engine/workflows/lay-out-graph.ts';

export function demoGraph(): Graph {
  const file = readFileSync(new URL('../../../examples/brain-mri.yaml', import.meta.url), 'utf8');
  const states = readDefinitionFile(file, '').definition?.states ?? [];
  const idOf = (label: string) => states.findIndex((state) => state.label === label) + 1;
  return {
    start: 1,
    states: states.map(({ label }) => idOf(label)),
    edges: states.flatMap(({ label, transitions }) =>
      transitions.map(({ destination }): [number, number] => [idOf(label), idOf(destination)]),
    ),
  };
}

/** Every state follows one of the three before it. Half as many further edges lead a few states back or ahead. */
export function randomGraph(size: number, seed: number): Graph {
  let current = seed;
  const random = (below: number) => {
    current = (Math.imul(current, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (current >> 8) % below;
  };
  const states = Array.from({ length: size }, (_, index) => index + 1);
  const chain = states.slice(1).map((id): [number, number] => [Math.max(1, id - 1 - random(3)), id]);
  const further = Array.from({ length: size / 2 }, (): [number, number] => {
    const from = 1 + random(size);
    return [from, Math.min(size, Math.max(1, from - 4 + random(12)))];
  });
  return { start: 1, states, edges: [...chain, ...further] };
}

/** The edges that enter the box of a state or leave the drawing, as `from>to at state`. */
export function faultsOf({ width, height, states, edges }: Drawing): string[] {
  return edges.flatMap((edge) => {
    const name = `${edge.from}>${edge.to}`;
    const hit = segmentsOf(edge).flatMap((segment) => states.filter((state) => hitsBox(segment, state, -0.5)));
    const outside = edge.points.some(({ x, y }) => x < 0 || y < 0 || x > width || y > height);
    return [...hit.map(({ id }) => `${name} at ${id}`), ...(outside ? [`${name} outside`] : [])];
  });
}
