import type { ReactNode } from 'react';
import styles from './columns.module.css';

interface Props {
  main: ReactNode;
  /** Next to the main column, or below it on a small screen. */
  side: ReactNode;
  /** At the top of the side column, or above everything on a small screen. */
  first?: ReactNode;
}

export const Columns = ({ main, side, first }: Props) => (
  <div className={styles['columns']}>
    {first ? <div className={styles['first']}>{first}</div> : null}
    <div className={styles['main']}>{main}</div>
    <div className={styles['side']}>{side}</div>
  </div>
);
