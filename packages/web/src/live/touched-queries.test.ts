/** When events refetch queries, with a clock that only the test advances. */
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveEvent } from './live-event.ts';
import { TouchedQueries } from './touched-queries.ts';

const own = 7;
const event = (experimentId: number) => ({ experiment_id: experimentId }) as LiveEvent;

let fetched: number;
let queries: TouchedQueries;
let page: EventTarget & { hidden: boolean };

beforeEach(async () => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', globalThis);
  fetched = 0;
  const client = new QueryClient();
  queries = new TouchedQueries(client);
  new QueryObserver(client, {
    queryKey: ['decision'],
    queryFn: () => ++fetched,
    staleTime: Infinity,
    meta: { touchedBy: ({ experiment_id }: LiveEvent) => experiment_id === own || 'later' },
  }).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  fetched = 0;
});

afterEach(() => {
  queries.stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** An event of another experiment in each tenth of a second. */
async function otherEvents(seconds: number): Promise<void> {
  for (let count = 0; count < 10 * seconds; count++) {
    queries.touch(event(8));
    await vi.advanceTimersByTimeAsync(100);
  }
}

describe('TouchedQueries', () => {
  it('refetches at once for an event of its own experiment', async () => {
    queries.touch(event(own));
    await vi.advanceTimersByTimeAsync(100);
    expect(fetched).toBe(1);
  });

  it('refetches once in five seconds for events that touch a query only later', async () => {
    await otherEvents(20);
    expect(fetched).toBe(4);
  });

  it('refetches at once for its own event while a later refetch is planned', async () => {
    await otherEvents(1);
    expect(fetched).toBe(1);
    queries.touch(event(own));
    await vi.advanceTimersByTimeAsync(500);
    expect(fetched).toBe(2);
  });

  it('refetches for the last of many events, too', async () => {
    await otherEvents(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetched).toBe(2);
  });

  it('refetches a hidden page when it becomes visible', async () => {
    page.hidden = true;
    await otherEvents(20);
    expect(fetched).toBe(0);
    page.hidden = false;
    page.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(1);
    expect(fetched).toBe(1);
  });
});
