import type { ReactNode } from 'react';
import styles from './page-head.module.css';

interface Props {
  title: ReactNode;
  /** One sentence below the title. */
  about?: ReactNode;
  /** Buttons, at most one of them primary. */
  children?: ReactNode;
}

export const PageHead = ({ title, about, children }: Props) => (
  <div className={styles['head']}>
    <div className={styles['words']}>
      <h1>{title}</h1>
      {about === undefined ? null : <p>{about}</p>}
    </div>
    {children ? <div className={styles['buttons']}>{children}</div> : null}
  </div>
);
