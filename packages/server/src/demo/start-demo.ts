/**
 * The demo: an example study that is alive. An archive and a pipeline on this machine, which callbacks call; a cluster that
 * pulls; a person who decides; visits that keep coming. Everything goes through the interface, as others would use it.
 */
import { join } from 'node:path';
import { ensureAccounts, type Accounts, type AccountsWanted } from './accounts.ts';
import { startArchive } from './archive.ts';
import { startArrivals } from './arrivals.ts';
import { startCluster } from './cluster.ts';
import { loadDefinitions, loadStudy } from './load-study.ts';
import { startPipeline } from './pipeline.ts';
import { startRater } from './rater.ts';
import type { Going, Tell } from './rounds.ts';

export interface Counterparts extends Going {
  /** The address of each by the name that workflows call it. */
  systems: Readonly<Record<string, string>>;
}

/** Started first: the worker must be told whom its callbacks may call. */
export async function startCounterparts(): Promise<Counterparts> {
  const [archive, pipeline] = await Promise.all([startArchive(), startPipeline()]);
  return {
    systems: { XNAT: archive.origin, PIPELINE: pipeline.origin },
    stop: async () => {
      await Promise.all([archive.stop(), pipeline.stop()]);
    },
  };
}

export interface DemoOptions {
  baseUrl: string;
  systems: Counterparts['systems'];
  /** The text of examples/brain-mri.yaml. */
  workflow: string;
  /** Where the demo keeps what it must know at the next start. */
  folder: string;
  admin: AccountsWanted['admin'];
  tell: Tell;
}

export interface RunningDemo extends Going {
  coordinator: Accounts['coordinator'];
}

export async function startDemo(options: DemoOptions): Promise<RunningDemo> {
  const { baseUrl, systems, workflow, folder, admin, tell } = options;
  const { clients, coordinator } = await ensureAccounts({ baseUrl, file: join(folder, 'demo.json'), admin });
  await loadDefinitions(clients.loader, systems, workflow);
  const stopping = new AbortController();
  const { signal } = stopping;
  const going: Going[] = [startCluster({ client: clients.cluster, baseUrl, tell }), startRater(clients.rater, tell)];
  const load = async () => {
    const { ids, experiments } = await loadStudy(clients.loader, signal);
    if (!signal.aborted) going.push(startArrivals({ client: clients.loader, ids, experiments, tell }));
  };
  // Not waited for: the study is alive before the last of its subjects is there.
  const loading = load().catch((error: unknown) => tell(`The study could not be loaded: ${String(error)}`));
  return {
    coordinator,
    stop: async () => {
      stopping.abort();
      await loading;
      await Promise.all(going.map((one) => one.stop()));
    },
  };
}
