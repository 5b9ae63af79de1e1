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

export interface Arrow {
  /** The points of the line, which ends within the head so that a wide line does not cover its tip. */
  line: readonly Point[];
  /** The head as an SVG path, whose tip is at the end of the points. */
  head: string;
}

/** In pixels, at a line of 1 pixel. */
const headLength = 7;

/** An edge with an arrow head, which grows with the width of the line. */
export function arrowOf(points: readonly Point[], width: number): Arrow {
  const [before, tip] = [points.at(-2), points.at(-1)];
  if (!before || !tip) return { line: points, head: '' };
  const length = headLength + (width - 1) * 2;
  const space = Math.hypot(tip.x - before.x, tip.y - before.y);
  const base = towards(tip, before, length);
  const half = { x: (tip.y - base.y) * 0.45, y: (base.x - tip.x) * 0.45 };
  const [left, right] = [
    { x: base.x + half.x, y: base.y + half.y },
    { x: base.x - half.x, y: base.y - half.y },
  ];
  const line = [...points.slice(0, -1), towards(tip, before, Math.min(length / 2, space / 2))];
  return { line, head: `M${[left, tip, right].map(text).join('L')}z` };
}
