/**
 * The course of the lines: along the gaps between columns and between lines of columns, where no state stands. All that
 * lead to one state from other lines share a track, as a trunk that more and more join, so that there are few.
 */
import { extentOf, gap, node, type Placed } from './place-states.ts';
import type { Way } from './ways.ts';

export type Point = readonly [x: number, y: number];

/** How far beside a column lines run. */
export const half = gap.columns / 2;
const trackDistance = 8;

const middle = ({ y }: Placed) => y + node.height / 2;
const centre = ({ x }: Placed) => x + node.width / 2;

/** Where a line leaves towards a track below or above: straight where nothing stands in between, else beside the column. */
function leaving(from: Placed, down: boolean): Point[] {
  if (down ? from.last : from.first) return [[centre(from), down ? from.y + node.height : from.y]];
  const beside = from.x + node.width + half;
  return [
    [from.x + node.width, middle(from)],
    [beside, middle(from)],
  ];
}

function arriving(to: Placed, down: boolean, neighbours: boolean): Point[] {
  if (neighbours && (down ? to.first : to.last)) return [[centre(to), down ? to.y : to.y + node.height]];
  return [
    [to.x - half, middle(to)],
    [to.x, middle(to)],
  ];
}

/** A horizontal course at `track` joins what leaves and what arrives. */
function along(track: number, leaves: Point[], arrives: Point[]): Point[] {
  const [from] = leaves.at(-1) ?? [0];
  const [to] = arrives[0] ?? [0];
  return [...leaves, [from, track], [to, track], ...arrives];
}

const isNext = ({ from, to }: Way) => to.column - from.column === 1;

function withinLine(way: Way, bottom: number): Point[] {
  const { from, to } = way;
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
    [from.x + node.width + half, middle(from)],
  ];
  if (isNext(way)) return [...start, ...arriving(to, true, false)];
  const under = middle(from) <= middle(to) ? from.y + node.height + gap.rows / 2 : from.y - gap.rows / 2;
  return along(under, start, arriving(to, true, false));
}

/** Beginning below the lowest state of a line. */
const bottomsOf = (places: readonly Placed[]) =>
  new Map([...Map.groupBy(places, ({ line }) => line)].map(([line, inLine]) => [line, extentOf(inLine).height]));

/** The lines between which a way has its horizontal course: below this one. */
const channelOf = ({ from, to }: Way) => (from.line <= to.line ? from.line : from.line - 1);

export function routeWays(ways: readonly Way[], places: readonly Placed[]): Map<string, Point[]> {
  const bottoms = bottomsOf(places);
  const tracks = new Map<string, number>();
  const used = new Map<number, number>();
  const trackOf = (way: Way) => {
    const channel = channelOf(way);
    const key = `${channel} ${way.to.id}`;
    const place = tracks.get(key) ?? used.get(channel) ?? 0;
    if (!tracks.has(key)) used.set(channel, place + 1);
    tracks.set(key, place);
    return (bottoms.get(channel) ?? 0) + 12 + (place % 7) * trackDistance;
  };
  const route = (way: Way): Point[] => {
    const { from, to } = way;
    if (from.line === to.line) return withinLine(way, from.x > to.x ? trackOf(way) : 0);
    const down = from.line < to.line;
    return along(trackOf(way), leaving(from, down), arriving(to, down, Math.abs(from.line - to.line) === 1));
  };
  return new Map(ways.map((way) => [way.id, route(way)]));
}

const between = ([x1, y1]: Point, [x2, y2]: Point, distance: number): Point => {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  return [x1 + ((x2 - x1) * distance) / length, y1 + ((y2 - y1) * distance) / length];
};

const isCorner = ([x1, y1]: Point, [x2, y2]: Point, [x3, y3]: Point) => (x2 - x1) * (y3 - y2) !== (y2 - y1) * (x3 - x2);

/** As SVG, with round corners. */
export function pathOf(points: readonly Point[], radius = 10): string {
  const clean = points.filter(
    (point, place) => place === 0 || point.some((value, axis) => value !== points[place - 1]?.[axis]),
  );
  const parts = clean.map((point, place) => {
    const before = clean[place - 1];
    const after = clean[place + 1];
    if (!before) return `M${point.join(' ')}`;
    if (!after || !isCorner(before, point, after)) return `L${point.join(' ')}`;
    const reach = (other: Point) => Math.min(radius, Math.hypot(other[0] - point[0], other[1] - point[1]) / 2);
    return `L${between(point, before, reach(before)).join(' ')}Q${point.join(' ')} ${between(point, after, reach(after)).join(' ')}`;
  });
  return parts.join('');
}
