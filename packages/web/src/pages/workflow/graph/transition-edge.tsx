import { BaseEdge, type Edge, type EdgeProps } from '@xyflow/react';
import { hint } from '../../../shown/hints.tsx';

export type TransitionEdgeData = { path: string; text: string };
export type TransitionEdgeType = Edge<TransitionEdgeData, 'transition'>;

/** An edge with a wider invisible line below it, which makes it easier to hover. */
export const TransitionEdge = ({ markerEnd, data }: EdgeProps<TransitionEdgeType>) =>
  data ? (
    <g {...hint(data.text)}>
      <BaseEdge path={data.path} interactionWidth={14} {...(markerEnd === undefined ? {} : { markerEnd })} />
    </g>
  ) : null;
