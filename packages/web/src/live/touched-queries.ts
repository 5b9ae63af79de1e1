/**
 * Refetches the queries that events concern. The first event refetches at once. During a burst, the pauses get longer. A
 * hidden tab refetches nothing. A query that is being fetched is refetched afterwards, because its data may be older than the
 * event. A query that an event touches only `later` is refetched at most every few seconds. While nobody uses the tab, it sends at most
 * one request a second on average.
 */
import { ProblemError } from '@milepost/api';
import type { Query, QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from './live-event.ts';

/** One change often causes several events, which arrive together. */
const batchMilliseconds = 20;
const shortestPause = 150;
const longestPause = 500;
const quietMilliseconds = 2000;
const laterMilliseconds = 5000;
const idleMilliseconds = 30_000;
const idlePauseMilliseconds = 1000;
const uses = ['pointermove', 'pointerdown', 'keydown', 'wheel'] as const;

/** The clock of the system can be set back, so the age of the data only shortens the wait. */
function delayOf(touch: true | 'later', { state: { dataUpdatedAt } }: Query): number {
  const age = Math.max(0, Date.now() - dataUpdatedAt);
  return touch === 'later' ? Math.max(batchMilliseconds, laterMilliseconds - age) : batchMilliseconds;
}

/** The server would reject the same request again, and the error would disappear meanwhile. */
const isRejected = ({ state: { error, data } }: Query): boolean =>
  data === undefined && error instanceof ProblemError && [400, 422].includes(error.status);

export class TouchedQueries {
  private readonly queryClient: QueryClient;
  /** With the time at which each is to be refetched. */
  private readonly touched = new Map<Query, number>();
  private timer: number | undefined;
  private flushed = -Infinity;
  private pause = shortestPause;
  private used = performance.now();

  constructor(queryClient: QueryClient) {
    this.queryClient = queryClient;
    document.addEventListener('visibilitychange', this.flush);
    for (const use of uses) document.addEventListener(use, this.use, { passive: true });
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.flush);
    for (const use of uses) document.removeEventListener(use, this.use);
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

  private add(touchOf: (query: Query) => boolean | 'later'): void {
    const now = performance.now();
    for (const query of this.queryClient.getQueryCache().getAll()) {
      const touch = touchOf(query);
      if (touch === false || isRejected(query)) continue;
      this.touched.set(query, Math.min(this.touched.get(query) ?? Infinity, now + delayOf(touch, query)));
    }
    this.wait();
  }

  private wait(): void {
    clearTimeout(this.timer);
    if (this.touched.size === 0) return;
    const next = Math.max(this.flushed + this.pause, Math.min(...this.touched.values()));
    this.timer = window.setTimeout(this.flush, next - performance.now());
  }

  private get isIdle(): boolean {
    return performance.now() - this.used > idleMilliseconds;
  }

  /** Refetches at once when the user comes back. */
  private readonly use = () => {
    const wasIdle = this.isIdle;
    this.used = performance.now();
    if (wasIdle) this.pause = shortestPause;
    if (wasIdle && this.touched.size > 0) this.flush();
  };

  private readonly flush = () => {
    clearTimeout(this.timer);
    if (document.hidden) return;
    const now = performance.now();
    this.pause = now - this.flushed > quietMilliseconds ? shortestPause : Math.min(2 * this.pause, longestPause);
    this.flushed = now;
    // A timer can fire a fraction of a millisecond early.
    const due = [...this.touched].filter(([query, at]) => at - now < 1 && query.state.fetchStatus !== 'fetching');
    const ready = new Set(due.map(([query]) => query));
    for (const query of ready) this.touched.delete(query);
    if (this.isIdle) this.pause = Math.max(this.pause, idlePauseMilliseconds * ready.size);
    void this.queryClient.invalidateQueries({ predicate: (query) => ready.has(query) });
    this.wait();
  };
}
