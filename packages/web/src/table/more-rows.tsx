import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { countOf } from '../shown/numbers.ts';
import { ProblemNote } from '../shown/problem-note.tsx';
import type { Pages } from './use-pages.ts';
import styles from './more-rows.module.css';

/** The end of a table: how many rows there are, and the next ones as soon as one gets here, or presses the button. */
export function MoreRows({
  of: { rows, hasMore, isLoadingMore, problem, loadMore },
}: {
  of: Omit<Pages<unknown>, 'everyRow'>;
}) {
  const end = useRef<HTMLDivElement>(null);
  const load = useRef(loadMore);
  useEffect(() => {
    load.current = loadMore;
  });
  useEffect(() => {
    if (!end.current || !hasMore) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && load.current(), {
      rootMargin: '600px',
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasMore, rows.length]);
  if (problem) return <ProblemNote error={problem.error} onRetry={problem.retry} />;
  return (
    <div ref={end} className={styles['end']}>
      <span role="status">
        {hasMore ? `The first ${countOf(rows.length, 'row')}` : `${countOf(rows.length, 'row')}, all of them`}
      </span>
      {hasMore ? (
        <Button variant="subtle" loading={isLoadingMore} onClick={loadMore}>
          Show more
        </Button>
      ) : null}
    </div>
  );
}
