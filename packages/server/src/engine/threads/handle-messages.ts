/** The message handler of a thread that `runInThread` starts: each message is one task and gets one response. */
import { parentPort } from 'node:worker_threads';

/**
 * The caller of `runInThread` must send what `work` accepts. `work` must not keep anything, because the next task is unrelated.
 * An error ends the thread.
 */
export function handleMessages(work: (input: never) => unknown): void {
  const respond = async (input: unknown) => parentPort?.postMessage(await work(input as never));
  parentPort?.on('message', (input) => void respond(input));
}
