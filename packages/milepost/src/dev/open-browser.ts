/** Opens an address in the browser of whoever sits here. Where that does not work nothing is said: the address is printed. */
import { spawn } from 'node:child_process';

const openers: Partial<Record<NodeJS.Platform, readonly [program: string, ...flags: string[]]>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
};

export function openBrowser(url: string): void {
  const [program, ...flags] = openers[process.platform] ?? ['xdg-open'];
  // In a group of its own: Ctrl-C is not meant for the browser.
  const child = spawn(program, [...flags, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
