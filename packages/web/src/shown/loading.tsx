import { useEffect, useState } from 'react';
import styles from './states.module.css';

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
