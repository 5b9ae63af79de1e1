/** Passes a call to the engine. */
import type { EngineContext } from '../engine/experiments/optimistic-lock.ts';
import type { WorkflowLocks } from '../engine/experiments/workflow-locks.ts';
import type { WorkflowModels } from '../engine/experiments/workflow-model.ts';
import type { Call } from '../http/call.ts';

/** For handlers that change experiments. */
export interface EngineServices {
  models: WorkflowModels;
  maxValuesBytes: number;
  locks: WorkflowLocks;
  /** Notifies workers of new jobs in these queues. */
  wake: (queues: readonly string[]) => void;
}

type EngineCall = Pick<
  Call,
  'database' | 'account' | 'execution' | 'author' | 'requireVersion' | 'afterCommit' | 'log' | 'span'
> &
  EngineServices;

export const engineContext = ({ database, account, author, wake, ...call }: EngineCall): EngineContext => ({
  db: database.db,
  scope: account.scope,
  caller: account,
  program: call.execution ?? undefined,
  author,
  trace: call.span,
  models: call.models,
  maxValuesBytes: call.maxValuesBytes,
  locks: call.locks,
  requireVersion: call.requireVersion,
  wake: (queues) => call.afterCommit(() => wake(queues)),
  onError: (error) => call.log.error({ err: error }, 'an execution failed, others continue'),
});
