/**
 * Refetches what events have touched: gathered for a moment, so that a burst is one request; never while the tab is
 * hidden; and a query that is being answered once more behind that answer, which may have been read before the event.
 */
import type { Query, QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from './live-event.ts';

const gatherMilliseconds = 400;

export class TouchedQueries {
  private readonly queryClient: QueryClient;
  private readonly touched = new Set<Query>();
  private timer: number | undefined;

  constructor(queryClient: QueryClient) {
    this.queryClient = queryClient;
    document.addEventListener('visibilitychange', this.flush);
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.flush);
    clearTimeout(this.timer);
  }

  /** Those whose data this event changes. */
  touch(event: LiveEvent): void {
    this.add((query) => query.meta?.touchedBy?.(event, query.state.data) ?? false);
  }

  /** All that events can change. */
  touchAll(): void {
    this.add((query) => query.meta?.touchedBy !== undefined);
  }

  private add(isTouched: (query: Query) => boolean): void {
    for (const query of this.queryClient.getQueryCache().getAll()) if (isTouched(query)) this.touched.add(query);
    if (this.touched.size > 0) this.timer ??= window.setTimeout(this.flush, gatherMilliseconds);
  }

  private readonly flush = () => {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (document.hidden) return;
    const ready = [...this.touched].filter((query) => query.state.fetchStatus !== 'fetching');
    for (const query of ready) this.touched.delete(query);
    void this.queryClient.invalidateQueries({ predicate: (query) => ready.includes(query) });
    if (this.touched.size > 0) this.timer = window.setTimeout(this.flush, gatherMilliseconds);
  };
}
