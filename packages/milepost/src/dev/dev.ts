/**
 * `milepost dev`: everything on one machine until Ctrl-C. Only what goes wrong is logged; MILEPOST_LOG_LEVEL=info shows
 * every request.
 */
import { resolve } from 'node:path';
import { runUntilStopped, startParts, type Environment } from '@milepost/server';
import { firstPage } from '../packaged.ts';
import { openBrowser } from './open-browser.ts';
import { refuseSecond } from './running-note.ts';
import { startEverything } from './start-everything.ts';

export interface DevOptions {
  demo: boolean;
  data: string;
  port?: number;
  /** Whether a browser may be opened, where somebody sits in front of it. */
  open: boolean;
}

export function dev({ demo, data, port, open }: DevOptions, environment: Environment): void {
  const folder = resolve(data);
  const settings = port === undefined ? environment : { ...environment, MILEPOST_PORT: String(port) };
  runUntilStopped(async () => {
    await refuseSecond(folder);
    return startParts(async (started) => {
      const { url, basePath } = await startEverything(started, { folder, demo, environment: settings });
      if (open && isWatched(environment)) openBrowser(firstPage(url, basePath));
      return started;
    });
  });
}

/** A person at a terminal, and not a script or a build. */
const isWatched = (environment: Environment): boolean =>
  process.stdout.isTTY && process.stdin.isTTY && !environment['CI'] && !environment['SSH_CONNECTION'];
