/** Generated files that are committed. With `--check` they are compared instead of written. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface PrintedFile {
  /** Relative to the root of the repository. */
  file: string;
  text: string;
  /** The command that prints it. */
  command: string;
}

export const fromRoot = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));

export const isFresh = async ({ file, text }: Pick<PrintedFile, 'file' | 'text'>): Promise<boolean> =>
  text === (await readFile(fromRoot(file), 'utf8').catch(() => undefined));

export async function printOrCheck(printed: PrintedFile): Promise<void> {
  if (!process.argv.includes('--check')) {
    await writeFile(fromRoot(printed.file), printed.text);
    console.log(`${printed.file} printed.`);
  } else if (await isFresh(printed)) {
    console.log(`${printed.file} is up to date.`);
  } else {
    console.error(`${printed.file} is out of date. Print it and commit it: ${printed.command}`);
    process.exitCode = 1;
  }
}
