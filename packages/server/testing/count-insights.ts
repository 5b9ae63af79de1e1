/** Counts the figures of Insights until no event is left. */
import { sql } from 'kysely';
import { vi } from 'vitest';
import type { Db } from '../src/database/connection.ts';
import { countInsights } from '../src/engine/insights/count-insights.ts';
import { hangLimitMs } from './hang-limit.ts';

/** Events can be counted once the transactions of all databases that were open before have ended. Those of other tests take a moment. */
export async function countAllInsights(db: Db): Promise<void> {
  const isComplete = async () => {
    await countInsights(db);
    const { rows } = await sql<{ unread: number }>`
      select count(*)::int as unread from events, insight_progress
      where (events.xid, events.id) > (insight_progress.xid, insight_progress.event_id)`.execute(db);
    return rows[0]?.unread === 0;
  };
  await vi.waitUntil(isComplete, { interval: 50, timeout: hangLimitMs });
}
