/** The drawing of a workflow's graph, in pixels. All boxes of states have the same size. */
import type { Layout } from '../../store/workflows/workflow-graph.ts';

export type Drawing = NonNullable<Layout['drawing']>;
export type DrawnEdge = Drawing['edges'][number];
export type Point = DrawnEdge['points'][number];

export const box = { width: 140, height: 76 };

export type Segment = readonly [from: Point, to: Point];

export const segmentsOf = ({ points }: { points: readonly Point[] }): Segment[] =>
  points.slice(1).map((to, index) => [points[index] ?? to, to]);

export const range = (a: number, b: number) => [Math.min(a, b), Math.max(a, b)] as const;

/** Whether the segment enters the box of the state, or comes nearer to it than the margin. */
export function hitsBox([from, to]: Segment, { x, y }: Point, margin = 0): boolean {
  const [left, right] = range(from.x, to.x);
  const [top, bottom] = range(from.y, to.y);
  return right > x - margin && left < x + box.width + margin && bottom > y - margin && top < y + box.height + margin;
}
