/**
 * Removes detours from the edges of a drawing. A wrapped row ends at the right margin and the next one starts at the left, so an
 * edge can run to a margin and back although a shorter route is free. A shorter route keeps its distance from states and from edges
 * to other states.
 */
import { hitsBox, range, segmentsOf, type DrawnEdge, type Drawing, type Point, type Segment } from './drawing.ts';

/** Each shortcut is compared with all edges. Beyond this number, that takes too long. */
const maxEdges = 200;
const stateMargin = 8;
const edgeDistance = 6;
const cost = { bend: 60, crossing: 150 };

export function straightenEdges({ states, edges }: Drawing): DrawnEdge[] {
  if (edges.length > maxEdges) return edges;
  const current = edges.map((edge) => ({ ...edge, points: clean(edge.points) }));
  for (const edge of current) {
    const others = current.filter((other) => other !== edge);
    edge.points = shortest(edge, (points) => isFree(points, edge, states, others), others.flatMap(segmentsOf));
  }
  return current;
}

const isHorizontal = ([from, to]: Segment) => from.y === to.y;
const lengthOf = ([from, to]: Segment) => Math.abs(to.x - from.x) + Math.abs(to.y - from.y);

/** Without points in the middle of a straight line. */
export function clean(points: readonly Point[]): Point[] {
  return points.filter((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (!before) return true;
    if (before.x === point.x && before.y === point.y) return false;
    return !after || !((before.x === point.x && point.x === after.x) || (before.y === point.y && point.y === after.y));
  });
}

function shortest(edge: DrawnEdge, isAllowed: (points: Point[]) => boolean, others: readonly Segment[]): Point[] {
  let best = edge.points;
  let bestCost = costOf(best, others);
  for (const points of shortcuts(edge.points)) {
    const costs = costOf(points, others);
    if (costs < bestCost && isAllowed(points)) [best, bestCost] = [points, costs];
  }
  return best;
}

function costOf(points: readonly Point[], others: readonly Segment[]): number {
  const own = segmentsOf({ points });
  const crossings = own.reduce((sum, segment) => sum + others.filter((other) => cross(segment, other)).length, 0);
  const length = own.reduce((sum, segment) => sum + lengthOf(segment), 0);
  return length + cost.bend * points.length + cost.crossing * crossings;
}

/** Replaces the points between two segments by one or two corners. The edge leaves and arrives in the same direction as before. */
function* shortcuts(points: readonly Point[]): Generator<Point[]> {
  for (let first = 0; first < points.length - 2; first++)
    for (let last = points.length - 2; last > first + 1; last--)
      for (const corners of cornersBetween(points, first, last)) {
        yield clean([...points.slice(0, first + 1), ...corners, ...points.slice(last + 1)]);
      }
}

function cornersBetween(points: readonly Point[], first: number, last: number): Point[][] {
  const [a, b, c, d] = [points[first], points[first + 1], points[last], points[last + 1]];
  if (!a || !b || !c || !d) return [];
  const [leaves, arrives] = [isHorizontal([a, b]), isHorizontal([c, d])];
  if (leaves !== arrives) {
    const corner = leaves ? { x: d.x, y: a.y } : { x: a.x, y: d.y };
    return sameDirection([a, b], [a, corner]) && sameDirection([c, d], [corner, d]) ? [[corner]] : [];
  }
  const axis = leaves ? 'x' : 'y';
  const towards = Math.sign(d[axis] - c[axis]);
  const tracks = [d[axis] - 16 * towards, ...points.slice(first + 1, last + 1).map((point) => point[axis])];
  return tracks.flatMap((track) => {
    const corners: [Point, Point] = leaves
      ? [
          { x: track, y: a.y },
          { x: track, y: d.y },
        ]
      : [
          { x: a.x, y: track },
          { x: d.x, y: track },
        ];
    return sameDirection([a, b], [a, corners[0]]) && sameDirection([c, d], [corners[1], d]) ? [corners] : [];
  });
}

const sameDirection = ([a, b]: Segment, [c, d]: Segment) =>
  Math.sign(b.x - a.x) === Math.sign(d.x - c.x) && Math.sign(b.y - a.y) === Math.sign(d.y - c.y);

function cross(one: Segment, other: Segment): boolean {
  if (isHorizontal(one) === isHorizontal(other)) return false;
  const [horizontal, vertical] = isHorizontal(one) ? [one, other] : [other, one];
  const [left, right] = range(horizontal[0].x, horizontal[1].x);
  const [top, bottom] = range(vertical[0].y, vertical[1].y);
  const [x, y] = [vertical[0].x, horizontal[0].y];
  return x > left && x < right && y > top && y < bottom;
}

/** Whether two parallel segments lie on each other or almost do. */
function overlap(one: Segment, other: Segment, distance: number): boolean {
  if (isHorizontal(one) !== isHorizontal(other)) return false;
  const [along, across] = isHorizontal(one) ? (['x', 'y'] as const) : (['y', 'x'] as const);
  const [start, end] = range(one[0][along], one[1][along]);
  const [otherStart, otherEnd] = range(other[0][along], other[1][along]);
  return Math.abs(one[0][across] - other[0][across]) < distance && start < otherEnd && otherStart < end;
}

function isFree(points: Point[], edge: DrawnEdge, states: Drawing['states'], others: readonly DrawnEdge[]): boolean {
  const segments = segmentsOf({ points });
  const marginTo = (id: number, index: number) =>
    (id === edge.from && index === 0) || (id === edge.to && index === segments.length - 1) ? 0 : stateMargin;
  const avoidsStates = segments.every((segment, index) =>
    states.every((state) => !hitsBox(segment, state, marginTo(state.id, index))),
  );
  return avoidsStates && others.every((other) => !isTooNear(segments, segmentsOf(other), other.to === edge.to));
}

/** Edges to the same state may join, but not run beside each other. */
const isTooNear = (segments: readonly Segment[], others: readonly Segment[], mayJoin: boolean) =>
  segments.some((segment) =>
    others.some((other) => overlap(segment, other, edgeDistance) && !(mayJoin && overlap(segment, other, 0.5))),
  );
