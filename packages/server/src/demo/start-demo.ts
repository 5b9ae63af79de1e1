/**
 * The demo: an example study with simulated activity. Callbacks call an archive and a pipeline on this machine, a pulling
 * worker plays the cluster, a reviewer makes decisions, and new visits keep arriving. Everything uses the API.
 */
import { join } from 'node:path';
import { ensureAccounts, type Accounts, type AccountsOptions } from './accounts.ts';
import { startArchive } from './archive.ts';
import { startArrivals } from './arrivals.ts';
import { startCluster } from './cluster.ts';
import { loadDefinitions, loadStudy } from './load-study.ts';
import { startPipeline } from './pipeline.ts';
import { startRater } from './rater.ts';
import { patientFetch } from './patient-fetch.ts';
import type { Log, Stoppable } from './repeat.ts';

export interface Counterparts extends Stoppable {
  /** The URLs by the name of the external system. */
  systems: Readonly<Record<string, string>>;
}

/** Starts the simulated systems. The worker needs their URLs, so they start first. */
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
  /** The data folder, in which the demo stores its passwords. */
  folder: string;
  admin: AccountsOptions['admin'];
  log: Log;
}

export interface RunningDemo extends Stoppable {
  coordinator: Accounts['coordinator'];
}

export async function startDemo(options: DemoOptions): Promise<RunningDemo> {
  const { baseUrl, systems, workflow, folder, admin, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const file = join(folder, 'demo.json');
  const { clients, coordinator } = await ensureAccounts({ baseUrl, file, admin, fetch: patientFetch(log, signal) });
  await loadDefinitions(clients.loader, systems, workflow);
  const parts: Stoppable[] = [startCluster({ client: clients.cluster, baseUrl, log }), startRater(clients.rater, log)];
  const load = async () => {
    const { ids, experiments } = await loadStudy(clients.loader, signal);
    if (!signal.aborted) parts.push(startArrivals({ client: clients.loader, ids, experiments, log }));
  };
  // Not awaited, so that the demo can be used while the study loads.
  const loading = load().catch((error: unknown) => log(`Loading the demo study failed: ${String(error)}`));
  return {
    coordinator,
    stop: async () => {
      stopping.abort();
      await loading;
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}
