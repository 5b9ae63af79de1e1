/** Polls the readiness of each server, like a load balancer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../../../packages/server/testing/processes/server-process.ts';
import { until } from '../until.ts';
import type { Member } from './member.ts';

type Server = Member<ServerProcess>;

const everyMs = 100;

export interface Readiness {
  open: () => Server[];
  /** Resolves when all servers are ready. */
  all: () => Promise<void>;
  stop: () => Promise<void>;
}

export function watchReadiness(servers: readonly Server[]): Readiness {
  const ready = new Set(servers);
  const stopping = new AbortController();
  const watch = async (server: Server) => {
    while (!stopping.signal.aborted) {
      const response = await fetch(`${server.current().url}/-/ready`).catch(() => undefined);
      if (response?.ok) ready.add(server);
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
