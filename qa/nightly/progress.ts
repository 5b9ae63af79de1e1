/** The progress of a nightly run, kept in a file so that a stopped run continues where it was. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Finished {
  verdict: 'passed' | 'failed';
  seconds: number;
  /** The last lines that the stage printed. */
  lines: string[];
}

export interface Progress {
  commit: string;
  seed: number;
  started: string;
  finished: Record<string, Finished>;
  /** The stage that was running when the run was stopped. */
  interrupted?: string;
}

/** The progress on this commit, or a new one: results of different commits do not belong in one summary. */
export function readProgress(folder: string, fresh: Progress): Progress {
  const file = join(folder, 'progress.json');
  if (!existsSync(file)) return fresh;
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Progress;
  return kept.commit === fresh.commit ? kept : fresh;
}

export function writeProgress(folder: string, progress: Progress): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'progress.json'), `${JSON.stringify(progress, null, 2)}\n`);
}
