/** The progress of long work, on one line of a terminal that is drawn again. Elsewhere, nothing is drawn. */
import { note } from './write-output.ts';

export interface Progress {
  done: number;
  total: number;
  /** Null if it waits. */
  perSecond: number | null;
  secondsLeft: number | null;
}

const barLength = 24;
const number = (value: number) => value.toLocaleString('en-US');

export function timeText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function progressText(what: string, { done, total, perSecond, secondsLeft }: Progress): string {
  if (total === 0) return `${number(done)} ${what}`;
  const filled = Math.floor((done / total) * barLength);
  return [
    `[${'#'.repeat(filled)}${'.'.repeat(barLength - filled)}]`,
    `${number(done)} of ${number(total)} ${what}`,
    ...(perSecond === null ? [] : [`${number(Math.round(perSecond))}/s`]),
    ...(secondsLeft === null ? [] : [`${timeText(secondsLeft)} left`]),
  ].join('  ');
}

export function showProgress(what: string, progress: Progress): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${progressText(what, progress)}`);
}

/** Removes the line, so that a message can follow. */
export function endProgress(message?: string): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
  if (message !== undefined) note(message);
}
