/** How often experiments took each edge, which is drawn as its width. */
import type { BodyOf } from '../../../api/operation-query.ts';
import { countOf } from '../../../ui/numbers.ts';

export const trafficWeeks = 12;

type TrafficRow = BodyOf<'getInsights'>['traffic'][number];

/** The moves of each edge, by the id of the edge. */
export type Traffic = ReadonlyMap<string, number>;

export const trafficOf = (
  rows: readonly { source: Pick<TrafficRow['source'], 'id'>; destination: { id: number }; moves: number }[],
): Traffic => new Map(rows.map(({ source, destination, moves }) => [`${source.id}-${destination.id}`, moves]));

/** Below this number of moves, no edge is as wide as possible, so that the first moves do not look like much. */
const manyMoves = 100;
const [minWidth, maxWidth] = [1, 4];

/** The width of an edge in pixels, on a logarithmic scale. */
export function edgeWidth(moves: number, traffic: Traffic): number {
  const most = Math.max(manyMoves, ...traffic.values());
  return minWidth + ((maxWidth - minWidth) * Math.log1p(moves)) / Math.log1p(most);
}

/** `312 moves in 12 weeks`. */
export const trafficText = (moves: number): string =>
  `${moves === 0 ? 'No moves' : countOf(moves, 'move')} in ${trafficWeeks} weeks`;
