/** Runs the shell blocks of docs/how-to/back-up-and-restore.md unchanged. The first line of a block is its name. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Account } from '../../packages/server/src/database/embedded-postgres.ts';
import { hangMs } from '../faults/until.ts';

const page = new URL('../../docs/how-to/back-up-and-restore.md', import.meta.url);

export async function readBlocks(): Promise<Map<string, string>> {
  const text = await readFile(page, 'utf8');
  return new Map(
    [...text.matchAll(/^```sh\n# (.+)\n([^]+?)^```$/gm)].map(([, name = '', block = '']) => [name, block]),
  );
}

export interface Shell {
  account: Account;
  environment: Record<string, string>;
}

export const withVariables = (shell: Shell, more: Record<string, string>): Shell => ({
  ...shell,
  environment: { ...shell.environment, ...more },
});

/** Stops at the first failed command or unset variable. */
export const runBlock = (name: string, shell: Shell): Promise<string> => run(name, shell, '-euc');

/** As in a terminal, where a failed command stops nothing. */
export const pasteBlock = (name: string, shell: Shell): Promise<string> => run(name, shell, '-c');

async function run(name: string, { account, environment }: Shell, flags: string): Promise<string> {
  const block = (await readBlocks()).get(name);
  if (block === undefined) throw new Error(`docs/how-to/back-up-and-restore.md has no block "${name}"`);
  const options = { ...account, env: environment, cwd: '/', timeout: hangMs };
  const { stdout } = await promisify(execFile)('sh', [flags, block], options);
  return stdout;
}
