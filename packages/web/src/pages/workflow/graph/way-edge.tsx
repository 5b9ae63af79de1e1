import { BaseEdge, type Edge, type EdgeProps } from '@xyflow/react';
import { hint } from '../../../shown/hints.tsx';

export type WayEdgeData = { path: string; words: string };
export type WayEdgeType = Edge<WayEdgeData, 'way'>;

/** A line, with a wide one that cannot be seen below it, for the pointer. */
export const WayEdge = ({ markerEnd, data }: EdgeProps<WayEdgeType>) =>
  data ? (
    <g {...hint(data.words)}>
      <BaseEdge path={data.path} interactionWidth={14} {...(markerEnd === undefined ? {} : { markerEnd })} />
    </g>
  ) : null;
