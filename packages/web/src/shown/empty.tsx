import type { ReactNode } from 'react';
import styles from './states.module.css';

/** Nothing to show: why, and what one may do about it. */
export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className={styles['empty']}>
    <p className={styles['title']}>{title}</p>
    {children ? <p className={styles['detail']}>{children}</p> : null}
  </div>
);
