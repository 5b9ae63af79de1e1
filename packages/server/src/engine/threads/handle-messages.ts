/** The message handler of a thread that `runInThread` starts: each message is one task and gets one response. */
import { parentPort } from 'node:worker_threads';

/**
 * The caller of `runInThread` must send what `work` accepts. `work` must not keep anything, because the next task is unrelated.
 */
export function handleMessages(work: (input: never) => unknown): void {
  parentPort?.on('message', (input) => parentPort?.postMessage(work(input as never)));
}
