/** When events refetch queries, with a clock that only the test advances. */
import { ProblemError } from '@milepost/api';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveEvent } from './live-event.ts';
import { TouchedQueries } from './touched-queries.ts';

const own = 7;
const event = (experimentId: number) => ({ experiment_id: experimentId }) as LiveEvent;

let fetched: number;
let queries: TouchedQueries;
let client: QueryClient;
let page: EventTarget & { hidden: boolean };

beforeEach(async () => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', globalThis);
  fetched = 0;
  client = new QueryClient();
  queries = new TouchedQueries(client);
  observe('decision');
  await vi.advanceTimersByTimeAsync(60_000);
  page.dispatchEvent(new Event('pointermove'));
  fetched = 0;
});

afterEach(() => {
  queries.stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function observe(name: string): void {
  new QueryObserver(client, {
    queryKey: [name],
    queryFn: () => ++fetched,
    staleTime: Infinity,
    meta: { touchedBy: ({ experiment_id }: LiveEvent) => experiment_id === own || 'later' },
  }).subscribe(() => undefined);
}

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

  it('sends at most one request a second while nobody uses the tab, and all when the user comes back', async () => {
    for (const name of ['counts', 'rows', 'views', 'search']) observe(name);
    await vi.advanceTimersByTimeAsync(31_000);
    fetched = 0;
    for (let count = 0; count < 200; count++) {
      queries.touch(event(own));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(fetched).toBeGreaterThan(15);
    expect(fetched).toBeLessThanOrEqual(25);
    const before = fetched;
    queries.touch(event(own));
    await vi.advanceTimersByTimeAsync(50);
    page.dispatchEvent(new Event('keydown'));
    await vi.advanceTimersByTimeAsync(1);
    expect(fetched).toBe(before + 5);
  });

  it('does not repeat a request that the server rejected', async () => {
    const unretried = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    const touched = new TouchedQueries(unretried);
    let sent = 0;
    new QueryObserver(unretried, {
      queryKey: ['search'],
      queryFn: () => {
        sent++;
        throw new ProblemError(new Response(null, { status: 400 }), undefined);
      },
      meta: { touchedBy: () => true },
    }).subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(100);
    touched.touch(event(own));
    await vi.advanceTimersByTimeAsync(10_000);
    touched.stop();
    expect(sent).toBe(1);
  });
});
