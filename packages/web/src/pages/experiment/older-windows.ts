/**
 * Older actions come in windows that never shift: the actions 1 to 50, 51 to 100 and so on. The newest page does shift with
 * every new action; which windows are needed below it follows from where it ends now, so that none is ever lost between.
 */
export const windowSize = 50;

/** The number of the window in which an action is, counted from 1. */
const windowOf = (sequence: number): number => Math.ceil(sequence / windowSize);

/** Those from right below the newest page down to the lowest that is wanted; `last` is the smallest sequence on that page. */
export function windowsBelow(last: number, lowest: number | undefined): number[] {
  if (lowest === undefined) return [];
  const highest = windowOf(last - 1);
  return Array.from({ length: Math.max(0, highest - lowest + 1) }, (_, place) => highest - place);
}

/** The key of its page: only actions with a smaller sequence. */
export const beforeOf = (window: number): number => window * windowSize + 1;

/** One window more than is shown, down to this action. */
export const windowBefore = (shown: number): number => windowOf(shown - 1);
