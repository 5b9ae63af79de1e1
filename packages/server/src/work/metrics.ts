/** What operators see of a worker. */
import { Counter, Gauge, Registry } from 'prom-client';
import type { EndedAs } from '../engine/executions/end-run.ts';

export function createWorkMetrics(running: () => number) {
  const registry = new Registry();
  const registers = [registry];
  const runs = new Counter({
    name: 'milepost_runs_total',
    help: 'Runs that ended: recorded, decided by somebody else meanwhile, or refused because a newer attempt had taken over.',
    labelNames: ['outcome'],
    registers,
  });
  const timeouts = new Counter({ name: 'milepost_timeouts_total', help: 'Executions that were timed out.', registers });
  const lost = new Counter({
    name: 'milepost_lost_attempts_total',
    help: 'Attempts whose worker fell silent.',
    registers,
  });
  const failures = new Counter({
    name: 'milepost_task_failures_total',
    help: 'Rounds of a periodic task that ended in an error.',
    labelNames: ['task'],
    registers,
  });
  const removed = new Counter({
    name: 'milepost_removed_total',
    help: 'What was removed when its time was over: events, idempotency keys, logs of executions, sessions.',
    labelNames: ['what'],
    registers,
  });
  const places = new Gauge({
    name: 'milepost_running',
    help: 'Callbacks that run now.',
    registers: [],
    collect() {
      this.set(running());
    },
  });
  registry.registerMetric(places);
  return {
    registry,
    ended: (outcome: EndedAs) => runs.inc({ outcome }),
    timedOut: (count: number) => timeouts.inc(count),
    lost: (count: number) => lost.inc(count),
    removed: (what: string, count: number) => removed.inc({ what }, count),
    failed: (task: string) => failures.inc({ task }),
  };
}

export type WorkMetrics = ReturnType<typeof createWorkMetrics>;
