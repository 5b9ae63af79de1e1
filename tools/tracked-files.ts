/** The files of the repository and their texts. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fromRoot } from './printed-file.ts';

export const trackedFiles = (): string[] =>
  execFileSync('git', ['-c', 'safe.directory=*', 'ls-files', '-z', '--deduplicate'], {
    cwd: fromRoot('.'),
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => file !== '');

/** Empty for binary files, and for files that are deleted but not yet committed as such. */
export function textOf(file: string): string {
  try {
    const text = readFileSync(fromRoot(file), 'utf8');
    return text.includes('\0') ? '' : text;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
