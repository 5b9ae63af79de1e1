/** Files that are printed, committed and checked: written, or with `--check` compared, and stale ones named. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface PrintedFile {
  /** From the root of the repository. */
  file: string;
  text: string;
  /** What prints it. */
  command: string;
}

export const fromRoot = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));

export const isFresh = async ({ file, text }: Pick<PrintedFile, 'file' | 'text'>): Promise<boolean> =>
  text === (await readFile(fromRoot(file), 'utf8').catch(() => undefined));

export async function printOrCheck(printed: PrintedFile): Promise<void> {
  if (!process.argv.includes('--check')) {
    await writeFile(fromRoot(printed.file), printed.text);
    console.log(`${printed.file} is printed.`);
  } else if (await isFresh(printed)) {
    console.log(`${printed.file} is fresh.`);
  } else {
    console.error(`${printed.file} is stale. Print it anew and commit it: ${printed.command}`);
    process.exitCode = 1;
  }
}
