/**
 * Refetches the queries that events concern. The first event refetches at once. During a burst, the pauses get longer. A
 * hidden tab refetches nothing. A query that is being fetched is refetched afterwards, because its data may be older than the
 * event.
 */
import type { Query, QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from './live-event.ts';

/** One change often causes several events, which arrive together. */
const batchMilliseconds = 20;
const shortestPause = 150;
const longestPause = 500;
const quietMilliseconds = 2000;

export class TouchedQueries {
  private readonly queryClient: QueryClient;
  private readonly touched = new Set<Query>();
  private timer: number | undefined;
  private flushed = -Infinity;
  private pause = shortestPause;

  constructor(queryClient: QueryClient) {
    this.queryClient = queryClient;
    document.addEventListener('visibilitychange', this.flush);
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.flush);
    clearTimeout(this.timer);
  }

  /** Marks the queries whose data this event changes. */
  touch(event: LiveEvent): void {
    this.add((query) => query.meta?.touchedBy?.(event, query.state.data) ?? false);
  }

  /** Marks all queries that events can change. */
  touchAll(): void {
    this.add((query) => query.meta?.touchedBy !== undefined);
  }

  private add(isTouched: (query: Query) => boolean): void {
    for (const query of this.queryClient.getQueryCache().getAll()) if (isTouched(query)) this.touched.add(query);
    if (this.touched.size > 0) this.wait();
  }

  private wait(): void {
    const untilNext = this.flushed + this.pause - performance.now();
    this.timer ??= window.setTimeout(this.flush, Math.max(batchMilliseconds, untilNext));
  }

  private readonly flush = () => {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (document.hidden) return;
    const now = performance.now();
    this.pause = now - this.flushed > quietMilliseconds ? shortestPause : Math.min(2 * this.pause, longestPause);
    this.flushed = now;
    const ready = [...this.touched].filter((query) => query.state.fetchStatus !== 'fetching');
    for (const query of ready) this.touched.delete(query);
    void this.queryClient.invalidateQueries({ predicate: (query) => ready.includes(query) });
    if (this.touched.size > 0) this.wait();
  };
}
