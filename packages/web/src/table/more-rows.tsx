import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { countOf } from '../ui/numbers.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import type { Pages } from './use-pages.ts';
import styles from './more-rows.module.css';

interface Props {
  of: Pages<unknown>;
  /** What a row is, in the singular. */
  noun: string;
  plural?: string;
}

/** The footer of a table: the number of rows, and a button for more, which also load on scrolling. */
export function MoreRows({ of: pages, noun, plural = `${noun}s` }: Props) {
  const { rows, hasMore, isLoadingMore, problem, loadMore } = pages;
  const total = countOf(rows.length, noun, plural);
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
    // A page can be short or empty, and the end is then still in view.
  }, [hasMore, rows.length, isLoadingMore]);
  if (problem) return <ProblemNote error={problem.error} onRetry={problem.retry} />;
  return (
    <div ref={end} className={styles['end']}>
      <span role="status">{hasMore ? `First ${total}` : total}</span>
      {hasMore ? (
        <Button variant="subtle" loading={isLoadingMore} onClick={loadMore}>
          Show more
        </Button>
      ) : null}
    </div>
  );
}
