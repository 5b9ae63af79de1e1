/** Records the messages that are sent to worker threads. */
import { Worker } from 'node:worker_threads';
import { vi } from 'vitest';

export async function threadInputsDuring(work: () => Promise<unknown>): Promise<unknown[]> {
  const post = vi.spyOn(Worker.prototype, 'postMessage');
  await work();
  const inputs = post.mock.calls.map(([input]): unknown => input);
  post.mockRestore();
  return inputs;
}
