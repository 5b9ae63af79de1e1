/** What a file that is the program of a thread does: each message that comes is work, and is answered by one message. */
import { parentPort } from 'node:worker_threads';

/**
 * What is given to the thread is what `work` takes: whoever names the file sees to that. Nothing may be left to do, or kept,
 * when it has answered: the next piece of work is somebody else's.
 */
export function answerEach(work: (input: never) => unknown): void {
  parentPort?.on('message', (input) => parentPort?.postMessage(work(input as never)));
}
