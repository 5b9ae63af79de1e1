/** Opens a URL in the user's browser. Errors are ignored, because the URL is also printed. */
import { spawn } from 'node:child_process';

const openers: Partial<Record<NodeJS.Platform, readonly [program: string, ...flags: string[]]>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
};

export function openBrowser(url: string): void {
  const [program, ...flags] = openers[process.platform] ?? ['xdg-open'];
  // Detached, so that Ctrl-C does not stop the browser.
  const child = spawn(program, [...flags, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
