import type { ReactNode } from 'react';
import styles from './states.module.css';

/** An empty state: what would be here, and how to get it. */
export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className={styles['empty']}>
    <p className={styles['title']}>{title}</p>
    {children ? <p className={styles['detail']}>{children}</p> : null}
  </div>
);
