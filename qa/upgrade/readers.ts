/** A client that sends the requests of the pages, one after the other, until it is stopped. */
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '../faults/drive/requests.ts';

export interface Readers {
  /** The failed requests. */
  failed: string[];
  count: () => number;
  stop: () => Promise<void>;
}

/** Without pauses, a small machine is overloaded and returns 503, which has nothing to do with the upgrade. */
const betweenMs = 30;

const pathsOf = (id: number) => [
  `/experiments/${id}`,
  `/experiments/${id}/overview`,
  `/experiments/${id}/state`,
  `/experiments/${id}/actions`,
  '/experiments?limit=50',
  '/incidents?limit=50',
  '/workflows?limit=5',
  '/users?limit=5',
];

export function startReaders(baseUrl: string, experiments: readonly number[]): Readers {
  const stopping = new AbortController();
  const failed: string[] = [];
  let count = 0;
  const read = async () => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      for (const path of pathsOf(experiments[turn % experiments.length] ?? 1)) {
        await sleep(betweenMs);
        const { status } = await send(baseUrl, { method: 'GET', path });
        count++;
        if (status !== 200) failed.push(`GET ${path}: ${status}`);
      }
    }
  };
  const all = read();
  return {
    failed,
    count: () => count,
    stop: async () => {
      stopping.abort();
      await all;
    },
  };
}
