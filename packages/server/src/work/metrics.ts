/** The metrics of a worker. */
import { executionResults, incidentKinds } from '@milepost/api';
import { Counter, Gauge, Registry } from 'prom-client';
import type { EndedAs } from '../engine/runs/end-run.ts';
import type { StreamedEvent } from '../store/record/read-events.ts';
import type { OpenIncidents } from '../store/runs/incidents.ts';
import type { QueueBacklog } from '../store/runs/queue-progress.ts';
import type { RetryBacklog } from '../store/runs/sweeps.ts';

/** `backlogs` is called for each scrape. */
export function createWorkMetrics(running: () => number, backlogs: () => Promise<QueueBacklog[]>) {
  const registry = new Registry();
  const registers = [registry];
  const runs = new Counter({
    name: 'milepost_runs_total',
    help: 'Finished attempts by outcome. recorded: the result was saved. decided: a report had already resolved the run. stale: a newer attempt had replaced this one.',
    labelNames: ['outcome'],
    registers,
  });
  const timeouts = new Counter({ name: 'milepost_timeouts_total', help: 'Executions that timed out.', registers });
  const lost = new Counter({
    name: 'milepost_lost_attempts_total',
    help: 'Attempts whose worker stopped sending heartbeats.',
    registers,
  });
  const failures = new Counter({
    name: 'milepost_task_failures_total',
    help: 'Failures of periodic tasks.',
    labelNames: ['task'],
    registers,
  });
  const removed = new Counter({
    name: 'milepost_removed_total',
    help: 'Expired data that was removed: events, idempotency keys, logs of executions, sessions.',
    labelNames: ['what'],
    registers,
  });
  const runningGauge = new Gauge({
    name: 'milepost_running',
    help: 'Callbacks that are running.',
    registers: [],
    collect() {
      this.set(running());
    },
  });
  registry.registerMetric(runningGauge);
  watchBacklogs(registry, backlogs);
  return {
    registry,
    ended: (outcome: EndedAs) => runs.inc({ outcome }),
    timedOut: (count: number) => timeouts.inc(count),
    lost: (count: number) => lost.inc(count),
    removed: (what: string, count: number) => removed.inc({ what }, count),
    ...createCountedGauges(registers),
    events: createEventCounters(registers),
    /** Called with 0 when a task begins, so that the first failure counts as an increase. */
    failed: (task: string, times = 1) => failures.inc({ task }, times),
  };
}

/** Numbers that periodic tasks count in the database. */
function createCountedGauges(registers: Registry[]) {
  const retriesWaiting = new Gauge({
    name: 'milepost_retries_waiting',
    help: 'Runs that wait for their next attempt after a temporary failure.',
    registers,
  });
  const longestFailing = new Gauge({
    name: 'milepost_longest_failing_seconds',
    help: 'Seconds since the first failure of the run that has been failing for the longest time.',
    registers,
  });
  const overdue = new Gauge({
    name: 'milepost_overdue_decisions',
    help: 'Overdue decisions, without snoozed ones.',
    registers,
  });
  const incidents = new Gauge({
    name: 'milepost_open_incidents',
    help: 'Open incidents.',
    labelNames: ['kind'],
    registers,
  });
  for (const kind of incidentKinds) incidents.set({ kind }, 0);
  return {
    incidents: (counts: readonly OpenIncidents[]) => {
      for (const { kind, open } of counts) incidents.set({ kind }, open);
    },
    retries: ({ waiting, longest }: RetryBacklog) => {
      retriesWaiting.set(waiting);
      longestFailing.set(longest);
    },
    overdue: (count: number) => overdue.set(count),
  };
}

/** Counts what events say, whichever process caused them. */
function createEventCounters(registers: Registry[]) {
  const moves = new Counter({ name: 'milepost_moves_total', help: 'Moves and corrections of experiments.', registers });
  const finished = new Counter({
    name: 'milepost_finished_runs_total',
    help: 'Runs that finished, by result.',
    labelNames: ['result'],
    registers,
  });
  for (const result of executionResults) finished.inc({ result }, 0);
  return (events: readonly StreamedEvent[]) => {
    for (const { object_kind: kind, data } of events) {
      const { from_state_id: from, retry_of: retried, status, result, late } = data as EventData;
      if (kind === 'experiment' && from !== undefined && retried === undefined) moves.inc();
      if (kind === 'callback_execution' && status === 'finished' && result && !late) finished.inc({ result });
    }
  };
}

interface EventData {
  from_state_id?: number;
  retry_of?: number;
  status?: string;
  result?: string;
  /** A report on a run that had finished before. */
  late?: true;
}

/** A scrape without the database has no backlogs, and the other metrics are still exported. */
function watchBacklogs(registry: Registry, backlogs: () => Promise<QueueBacklog[]>): void {
  let reading: Promise<QueueBacklog[]> | undefined;
  // Both gauges collect at the same time and share a statement.
  const read = () =>
    (reading ??= backlogs()
      .catch(() => [])
      .finally(() => (reading = undefined)));
  const gauge = (name: string, help: string, valueOf: (backlog: QueueBacklog) => number) =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ['queue'],
        registers: [],
        async collect() {
          this.reset();
          for (const backlog of await read()) this.set({ queue: backlog.queue }, valueOf(backlog));
        },
      }),
    );
  gauge('milepost_queue_length', 'Runs in each queue that could start.', ({ length }) => length);
  const help = 'How long the oldest run in each queue that could start has waited.';
  gauge('milepost_queue_oldest_seconds', help, ({ oldest_seconds: seconds }) => seconds);
}

export type WorkMetrics = ReturnType<typeof createWorkMetrics>;
