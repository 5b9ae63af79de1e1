import type { ReactNode } from 'react';
import styles from './insights.module.css';

interface Props {
  /** The number of rows that are not shown at first. */
  folded: number;
  all: number;
  isWhole: boolean;
  onToggle: () => void;
  /** What the folded rows are. */
  children: ReactNode;
}

/** Below a table of the largest rows: what the others are, and a button that shows them. */
export const FoldButton = ({ folded, all, isWhole, onToggle, children }: Props) =>
  folded === 0 ? null : (
    <p className={styles['fold']}>
      {isWhole ? null : <span>{children}</span>}
      <button type="button" aria-expanded={isWhole} onClick={onToggle}>
        {isWhole ? 'Show fewer' : `Show all ${all}`}
      </button>
    </p>
  );
