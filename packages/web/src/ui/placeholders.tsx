import { useEffect, useState, type ReactNode } from 'react';
import styles from './placeholders.module.css';

/** Appears after 300 ms, because most responses arrive earlier. */
export function Loading({ what }: { what: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-busy="true" className={styles['loading']}>
      {late ? `Loading ${what}…` : null}
    </div>
  );
}

interface EmptyProps {
  title: string;
  children?: ReactNode;
  /** Buttons and links for the next step. */
  actions?: ReactNode;
}

/** An empty state: what would be here, and how to get it. */
export const EmptyState = ({ title, children, actions }: EmptyProps) => (
  <div className={styles['empty']}>
    <p className={styles['title']}>{title}</p>
    {children ? <p className={styles['detail']}>{children}</p> : null}
    {actions ? <div className={styles['actions']}>{actions}</div> : null}
  </div>
);
