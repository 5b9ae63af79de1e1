export interface Point {
  x: number;
  y: number;
}

const towards = (from: Point, to: Point, distance: number): Point => {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: from.x + ((to.x - from.x) * distance) / length, y: from.y + ((to.y - from.y) * distance) / length };
};

const text = ({ x, y }: Point) => `${x} ${y}`;

/** The points of an edge as an SVG path with round corners. */
export function pathOf(points: readonly Point[], radius = 6): string {
  const parts = points.map((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (!before) return `M${text(point)}`;
    if (!after) return `L${text(point)}`;
    const reach = (other: Point) => Math.min(radius, Math.hypot(other.x - point.x, other.y - point.y) / 2);
    const [start, end] = [towards(point, before, reach(before)), towards(point, after, reach(after))];
    return `L${text(start)}Q${text(point)} ${text(end)}`;
  });
  return parts.join('');
}
