import type { ReactNode } from 'react';
import styles from './columns.module.css';

interface Props {
  main: ReactNode;
  /** Beside it; on a small screen under it. */
  side: ReactNode;
  /** At the top of the side; on a small screen before everything else. */
  first?: ReactNode;
}

export const Columns = ({ main, side, first }: Props) => (
  <div className={styles['columns']}>
    {first ? <div className={styles['first']}>{first}</div> : null}
    <div className={styles['main']}>{main}</div>
    <div className={styles['side']}>{side}</div>
  </div>
);
