/** As a balancer does: asks each server again and again whether it is ready, and sends to those that say so. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../../../packages/server/testing/server-process.ts';
import { until } from '../until.ts';
import type { Member } from './member.ts';

type Server = Member<ServerProcess>;

const everyMs = 100;

export interface Readiness {
  open: () => Server[];
  /** Until each of them was seen ready. */
  all: () => Promise<void>;
  stop: () => Promise<void>;
}

export function watchReadiness(servers: readonly Server[]): Readiness {
  const ready = new Set(servers);
  const stopping = new AbortController();
  const watch = async (server: Server) => {
    while (!stopping.signal.aborted) {
      const asked = await fetch(`${server.current().url}/-/ready`).catch(() => undefined);
      if (asked?.ok) ready.add(server);
      else ready.delete(server);
      await sleep(everyMs);
    }
  };
  const watching = Promise.all(servers.map(watch));
  return {
    open: () => servers.filter((server) => ready.has(server)),
    all: () => until('every server is ready', () => ready.size === servers.length || stopping.signal.aborted),
    stop: async () => {
      stopping.abort();
      await watching;
    },
  };
}
