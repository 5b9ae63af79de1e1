import { useEffect, useState } from 'react';
import styles from './states.module.css';

/** Says nothing for a moment: most answers are there before anybody could read it. */
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
