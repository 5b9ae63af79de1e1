/**
 * Routes the edges through the gaps between columns and lines, so that they cross no state. All edges from other lines to
 * the same state share a track.
 */
import type { GraphEdge } from './edges.ts';
import { extentOf, gap, node, type Placed } from './place-states.ts';

export type Point = readonly [x: number, y: number];

/** The distance between a column and the edges beside it. */
export const edgeMargin = gap.columns / 2;
const trackDistance = 8;

const middle = ({ y }: Placed) => y + node.height / 2;
const centre = ({ x }: Placed) => x + node.width / 2;

/** The start of an edge to a track below or above: straight if no state is in between, otherwise beside the column. */
function leaving(from: Placed, down: boolean): Point[] {
  if (down ? from.last : from.first) return [[centre(from), down ? from.y + node.height : from.y]];
  const beside = from.x + node.width + edgeMargin;
  return [
    [from.x + node.width, middle(from)],
    [beside, middle(from)],
  ];
}

function arriving(to: Placed, down: boolean, neighbours: boolean): Point[] {
  if (neighbours && (down ? to.first : to.last)) return [[centre(to), down ? to.y : to.y + node.height]];
  return [
    [to.x - edgeMargin, middle(to)],
    [to.x, middle(to)],
  ];
}

/** Connects the start and the end of an edge by a horizontal track. */
function along(track: number, leaves: Point[], arrives: Point[]): Point[] {
  const [from] = leaves.at(-1) ?? [0];
  const [to] = arrives[0] ?? [0];
  return [...leaves, [from, track], [to, track], ...arrives];
}

const isNext = ({ from, to }: GraphEdge) => to.column - from.column === 1;

function withinLine(edge: GraphEdge, bottom: number): Point[] {
  const { from, to } = edge;
  if (from.x === to.x) {
    const down = from.y < to.y;
    return [
      [centre(from), down ? from.y + node.height : from.y],
      [centre(to), down ? to.y : to.y + node.height],
    ];
  }
  if (from.x > to.x) return along(bottom, leaving(from, true), arriving(to, false, true));
  const start: Point[] = [
    [from.x + node.width, middle(from)],
    [from.x + node.width + edgeMargin, middle(from)],
  ];
  if (isNext(edge)) return [...start, ...arriving(to, true, false)];
  const under = middle(from) <= middle(to) ? from.y + node.height + gap.rows / 2 : from.y - gap.rows / 2;
  return along(under, start, arriving(to, true, false));
}

/** The bottom of the lowest state of each line. */
const bottomsOf = (places: readonly Placed[]) =>
  new Map([...Map.groupBy(places, ({ line }) => line)].map(([line, inLine]) => [line, extentOf(inLine).height]));

/** The line below which the edge has its track. */
const channelOf = ({ from, to }: GraphEdge) => (from.line <= to.line ? from.line : from.line - 1);

export function routeEdges(edges: readonly GraphEdge[], places: readonly Placed[]): Map<string, Point[]> {
  const bottoms = bottomsOf(places);
  const tracks = new Map<string, number>();
  const used = new Map<number, number>();
  const trackOf = (edge: GraphEdge) => {
    const channel = channelOf(edge);
    const key = `${channel} ${edge.to.id}`;
    const track = tracks.get(key) ?? used.get(channel) ?? 0;
    if (!tracks.has(key)) used.set(channel, track + 1);
    tracks.set(key, track);
    return (bottoms.get(channel) ?? 0) + 12 + (track % 7) * trackDistance;
  };
  const route = (edge: GraphEdge): Point[] => {
    const { from, to } = edge;
    if (from.line === to.line) return withinLine(edge, from.x > to.x ? trackOf(edge) : 0);
    const down = from.line < to.line;
    return along(trackOf(edge), leaving(from, down), arriving(to, down, Math.abs(from.line - to.line) === 1));
  };
  return new Map(edges.map((edge) => [edge.id, route(edge)]));
}

const between = ([x1, y1]: Point, [x2, y2]: Point, distance: number): Point => {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  return [x1 + ((x2 - x1) * distance) / length, y1 + ((y2 - y1) * distance) / length];
};

const isCorner = ([x1, y1]: Point, [x2, y2]: Point, [x3, y3]: Point) => (x2 - x1) * (y3 - y2) !== (y2 - y1) * (x3 - x2);

/** The route as an SVG path with round corners. */
export function pathOf(points: readonly Point[], radius = 10): string {
  const clean = points.filter(
    (point, index) => index === 0 || point.some((value, axis) => value !== points[index - 1]?.[axis]),
  );
  const parts = clean.map((point, index) => {
    const before = clean[index - 1];
    const after = clean[index + 1];
    if (!before) return `M${point.join(' ')}`;
    if (!after || !isCorner(before, point, after)) return `L${point.join(' ')}`;
    const reach = (other: Point) => Math.min(radius, Math.hypot(other[0] - point[0], other[1] - point[1]) / 2);
    return `L${between(point, before, reach(before)).join(' ')}Q${point.join(' ')} ${between(point, after, reach(after)).join(' ')}`;
  });
  return parts.join('');
}
