/**
 * Waits for workflows that an import has locked. All changes of this process that wait for the same workflow share one check,
 * which uses a connection for a moment, so any number of them leaves the connection pool to other requests.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, Histogram, type Registry } from 'prom-client';
import type { Db } from '../../database/connection.ts';
import { isWorkflowLocked } from '../../store/workflows/workflows.ts';

export interface WorkflowLocks {
  /** Returns when the workflow is free, or at the deadline. */
  wait: (workflowId: number, deadline: number) => Promise<void>;
}

const checkEveryMs = 100;

export function createWorkflowLocks(db: Db, registry: Registry): WorkflowLocks {
  const metrics = createLockMetrics(registry);
  const checks = new Map<number, Promise<boolean>>();
  const check = async (workflowId: number): Promise<boolean> => {
    await sleep(checkEveryMs);
    // If the database fails, the change is made again and fails with the cause.
    return isWorkflowLocked(db, workflowId).catch(() => false);
  };
  const isStillLocked = (workflowId: number): Promise<boolean> => {
    const checking = checks.get(workflowId) ?? check(workflowId).finally(() => checks.delete(workflowId));
    checks.set(workflowId, checking);
    return checking;
  };
  return {
    wait: async (workflowId, deadline) => {
      const ended = metrics.start();
      while (performance.now() < deadline && (await isStillLocked(workflowId)));
      ended();
    },
  };
}

function createLockMetrics(registry: Registry) {
  const registers = [registry];
  const waiting = new Gauge({
    name: 'milepost_workflow_lock_waiting',
    help: 'Changes of experiments that wait for a workflow that is being imported.',
    registers,
  });
  const seconds = new Histogram({
    name: 'milepost_workflow_lock_wait_seconds',
    help: 'Time that changes of experiments waited for a workflow that was being imported.',
    buckets: [0.1, 0.25, 0.5, 1, 2],
    registers,
  });
  const start = () => {
    waiting.inc();
    const observe = seconds.startTimer();
    return () => {
      waiting.dec();
      observe();
    };
  };
  return { start };
}
