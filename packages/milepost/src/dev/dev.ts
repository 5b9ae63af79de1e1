/**
 * `milepost dev`: runs everything on one machine until Ctrl-C. It logs warnings and errors only; MILEPOST_LOG_LEVEL=info
 * logs every request.
 */
import { resolve } from 'node:path';
import { runUntilStopped, startParts, type Environment } from '@milepost/server';
import { firstPage } from '../packaged.ts';
import { openBrowser } from './open-browser.ts';
import { rejectSecondStart } from './running-note.ts';
import { startEverything } from './start-everything.ts';

export interface DevOptions {
  demo: boolean;
  data: string;
  port?: number;
  /** Whether to open a browser if the command runs in a terminal. */
  open: boolean;
}

export function dev({ demo, data, port, open }: DevOptions, environment: Environment): void {
  const folder = resolve(data);
  const settings = port === undefined ? environment : { ...environment, MILEPOST_PORT: String(port) };
  runUntilStopped(async () => {
    await rejectSecondStart(folder);
    return startParts(async (started) => {
      const { url, basePath } = await startEverything(started, { folder, demo, environment: settings });
      if (open && isInteractive(environment)) openBrowser(firstPage(url, basePath));
      return started;
    });
  });
}

/** Whether a person runs this at a local terminal, and not a script, a CI job or an SSH session. */
const isInteractive = (environment: Environment): boolean =>
  process.stdout.isTTY && process.stdin.isTTY && !environment['CI'] && !environment['SSH_CONNECTION'];
