/**
 * Keeps the figures of Insights (docs/decisions/0051). Each step is one transaction: it reads the next events, counts what is new of their
 * experiments, and saves how far it is. A step that dies is repeated. While figures are rebuilt, each step also counts the next experiments
 * by id. Only one worker counts at a time.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Db, Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { countExperiments } from '../../store/insights/count-experiments.ts';
import { countRuns, countRunsOf, subtractRunsOf } from '../../store/insights/count-runs.ts';
import {
  listExperimentsOf,
  listNextExperiments,
  lockProgress,
  readCountedTime,
  saveProgress,
  type Progress,
} from '../../store/insights/progress.ts';
import {
  isBefore,
  readEvents,
  readRetainedEvents,
  type Position,
  type StreamedEvent,
} from '../../store/record/read-events.ts';

/** Well within the statement timeout. */
const eventsPerStep = 1000;
const experimentsPerStep = 500;

type OnCounted = (events: readonly StreamedEvent[]) => void;

/** Counts until nothing is left. `onCounted` gets each event at most once, among all workers. */
export async function countInsights(db: Db, signal?: AbortSignal, onCounted?: OnCounted): Promise<void> {
  for (;;) {
    const { events, hasMore } = await inTransaction(db, countNext);
    onCounted?.(events);
    if (!hasMore || signal?.aborted) return;
    await yieldToOthers();
  }
}

async function countNext(tx: Tx): Promise<{ events: readonly StreamedEvent[]; hasMore: boolean }> {
  const progress = await lockProgress(tx);
  if (!progress) return { events: [], hasMore: false };
  const { events, upTo, full } = await readEvents(tx, progress.position, eventsPerStep);
  const { position, rebuiltFrom } = await continueFrom(tx, progress, upTo);
  const rebuiltTo = await rebuildNext(tx, rebuiltFrom);
  await countEvents(tx, events);
  await saveProgress(tx, { position, rebuiltTo, countedAt: await readCountedTime(tx, position) });
  return { events, hasMore: full || rebuiltTo !== null };
}

/**
 * All experiments are counted again if events were removed before they were counted, or if the position is one of another database cluster,
 * from which this database was restored. What is counted already is not counted twice.
 */
async function continueFrom(tx: Tx, { position, rebuiltTo }: Progress, upTo: Position) {
  const { since, now } = await readRetainedEvents(tx);
  if (isBefore(now, { xid: position.xid, id: 0 })) return { position: now, rebuiltFrom: 0 };
  const isFirst: Position = { xid: 0n, id: 0 };
  const lostEvents = isBefore(isFirst, since) && isBefore(position, since);
  return { position: upTo, rebuiltFrom: lostEvents ? 0 : rebuiltTo };
}

async function rebuildNext(tx: Tx, rebuiltFrom: number | null): Promise<number | null> {
  if (rebuiltFrom === null) return null;
  const ids = await listNextExperiments(tx, rebuiltFrom, experimentsPerStep);
  await subtractRunsOf(tx, await countExperiments(tx, ids));
  await countRunsOf(tx, ids);
  return ids.at(-1) ?? null;
}

/** The runs of experiments in another cohort are counted again. */
async function countEvents(tx: Tx, events: readonly StreamedEvent[]): Promise<void> {
  const idsOf = (kind: string) => [
    ...new Set(events.flatMap((event) => (event.object_kind === kind ? [event.object_id] : []))),
  ];
  const named = events.flatMap(({ experiment_id: id }) => id ?? []);
  const ids = new Set([...named, ...(await listExperimentsOf(tx, idsOf('subject')))]);
  const changed = await countExperiments(tx, [...ids]);
  await subtractRunsOf(tx, changed);
  await countRunsOf(tx, changed);
  await countRuns(tx, idsOf('callback_execution'));
}
