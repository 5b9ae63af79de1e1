/**
 * The main line of a workflow: the longest path from its start through states in the order of the definition. Detours for repairs and
 * exclusions are shorter, and ways back are against the order.
 */
import type { Graph } from './lay-out-graph.ts';

export function mainLine({ start, states, edges }: Graph): number[] {
  const place = new Map(states.map((id, index) => [id, index]));
  const before = new Map<number, readonly number[]>(states.map((id) => [id, []]));
  for (const [from, to] of edges) {
    if ((place.get(from) ?? 0) < (place.get(to) ?? 0)) before.set(to, [...(before.get(to) ?? []), from]);
  }
  const lines = new Map<number, number[]>([[start, [start]]]);
  for (const id of states) {
    const longest = longestOf((before.get(id) ?? []).flatMap((from) => [lines.get(from) ?? []]));
    if (longest.length > 0) lines.set(id, [...longest, id]);
  }
  return longestOf([...lines.values()]);
}

/** The first of the longest. */
const longestOf = (lines: readonly number[][]): number[] =>
  lines.reduce((longest, line) => (line.length > longest.length ? line : longest), []);

export const isMainEdge = (line: readonly number[], [from, to]: readonly [from: number, to: number]): boolean =>
  line.some((id, index) => id === from && line[index + 1] === to);
