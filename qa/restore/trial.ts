/** What everybody needs who tries to bring an installation back. */
import type { Cluster } from './cluster.ts';
import type { startInstallation } from './installation.ts';
import type { Hold } from './judge.ts';

export interface Telling {
  say: (text: string) => void;
  hold: Hold;
}

export interface Trial extends Telling {
  cluster: Cluster;
  receiver: string;
  /** The database's roles. */
  app: string;
  backup: string;
  /** On the first cluster unless told. */
  start: (databaseUrl?: string) => ReturnType<typeof startInstallation>;
}
