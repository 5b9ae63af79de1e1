/** The context of a restore test. */
import type { Cluster } from './cluster.ts';
import type { startInstallation } from './installation.ts';
import type { Check } from './check-restored.ts';

export interface Output {
  log: (text: string) => void;
  check: Check;
}

export interface Trial extends Output {
  cluster: Cluster;
  receiver: string;
  /** The database roles. */
  app: string;
  backup: string;
  /** Starts server and workers, by default on the first cluster. */
  start: (databaseUrl?: string) => ReturnType<typeof startInstallation>;
}
