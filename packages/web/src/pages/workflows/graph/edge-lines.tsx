import type { CSSProperties } from 'react';
import { cardTooltip } from '../../../ui/tooltip.tsx';
import { edgeCard, type GraphEdge } from './edges.ts';
import { arrowOf, pathOf, type Point } from './path-of.ts';
import { edgeWidth, type Traffic } from './traffic.ts';
import { useTraffic } from './use-traffic.ts';
import styles from './graph.module.css';

interface Props {
  workflowId: number;
  edges: readonly GraphEdge[];
  /** The title of a state. */
  titleOf: (stateId: number) => string;
  width: number;
  height: number;
  selected: number | undefined;
}

/** Read by the style sheet, in which the line of a hovered edge is wider. */
const widthStyle = (width: number | undefined): CSSProperties | undefined =>
  width === undefined ? undefined : ({ '--width': `${width}px` } as CSSProperties);

/** A line with an arrow head. */
export function ArrowLine({ points, width }: { points: readonly Point[]; width?: number | undefined }) {
  const { line, head } = arrowOf(points, width ?? 1);
  return (
    <>
      <path className={styles['line']} d={pathOf(line)} style={widthStyle(width)} />
      <path className={styles['head']} d={head} />
    </>
  );
}

/**
 * The edges, wider with more traffic. Each shows a card on hover and focus, and has a wider invisible line that makes it easier to
 * hover. The traffic is requested when the graph is drawn.
 */
export function EdgeLines({ workflowId, edges, titleOf, width, height, selected }: Props) {
  const traffic = useTraffic(workflowId);
  return (
    <svg className={styles['edges']} width={width} height={height} aria-label="Transitions" role="group">
      {edges.map((edge) => (
        <Edge
          key={edge.id}
          edge={edge}
          titleOf={titleOf}
          traffic={traffic}
          isActive={edge.from === selected || edge.to === selected}
        />
      ))}
    </svg>
  );
}

interface EdgeProps {
  edge: GraphEdge;
  titleOf: Props['titleOf'];
  traffic: Traffic | undefined;
  isActive: boolean;
}

function Edge({ edge: { id, from, to, points, transitions, byPersonOnly }, titleOf, traffic, isActive }: EdgeProps) {
  const moves = traffic && (traffic.get(id) ?? 0);
  const card = edgeCard(titleOf(from), titleOf(to), transitions, moves);
  return (
    <g
      className={styles['edge']}
      data-by-person={byPersonOnly || undefined}
      data-active={isActive || undefined}
      role="img"
      aria-label={card.map(({ text }) => text).join('. ')}
      tabIndex={0}
      {...cardTooltip(card)}
    >
      <path className={styles['reach']} d={pathOf(points)} />
      <ArrowLine points={points} width={traffic && edgeWidth(moves ?? 0, traffic)} />
    </g>
  );
}
