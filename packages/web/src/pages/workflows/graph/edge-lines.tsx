import { cardTooltip } from '../../../ui/tooltip.tsx';
import { edgeCard, type GraphEdge } from './edges.ts';
import { pathOf } from './path-of.ts';
import styles from './graph.module.css';

interface Props {
  edges: readonly GraphEdge[];
  /** The title of a state. */
  titleOf: (stateId: number) => string;
  width: number;
  height: number;
  selected: number | undefined;
}

const Arrow = ({ id, colour }: { id: string; colour: string }) => (
  <marker
    id={id}
    viewBox="0 0 8 8"
    refX="7"
    refY="4"
    markerWidth="8"
    markerHeight="8"
    markerUnits="userSpaceOnUse"
    orient="auto"
  >
    <path d="M0 0.5L7.5 4L0 7.5z" fill={colour} />
  </marker>
);

/** The edges. Each shows a card on hover and focus, and has a wider invisible line that makes it easier to hover. */
export const EdgeLines = ({ edges, titleOf, width, height, selected }: Props) => (
  <svg className={styles['edges']} width={width} height={height} aria-label="Transitions" role="group">
    <defs>
      <Arrow id="arrow" colour="var(--edge)" />
      <Arrow id="arrow-active" colour="var(--accent)" />
    </defs>
    {edges.map((edge) => {
      const { id, from, to, points, transitions, byPersonOnly } = edge;
      const card = edgeCard(titleOf(from), titleOf(to), transitions);
      return (
        <g
          key={id}
          className={styles['edge']}
          data-by-person={byPersonOnly || undefined}
          data-active={from === selected || to === selected || undefined}
          role="img"
          aria-label={card.map(({ text }) => text).join('. ')}
          tabIndex={0}
          {...cardTooltip(card)}
        >
          <path className={styles['reach']} d={pathOf(points)} />
          <path className={styles['line']} d={pathOf(points)} />
        </g>
      );
    })}
  </svg>
);
