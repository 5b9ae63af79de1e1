/**
 * Older actions are loaded in fixed windows: actions 1 to 50, 51 to 100 and so on. The newest page shifts with every new
 * action, so the windows below it are computed from where it ends now, and no action falls into a gap.
 */
export const windowSize = 50;

/** The number of the window that contains an action, counted from 1. */
const windowOf = (sequence: number): number => Math.ceil(sequence / windowSize);

/** The windows from the newest page, whose smallest sequence is `last`, down to the lowest requested window. */
export function windowsBelow(last: number, lowest: number | undefined): number[] {
  if (lowest === undefined) return [];
  const highest = windowOf(last - 1);
  return Array.from({ length: Math.max(0, highest - lowest + 1) }, (_, index) => highest - index);
}

/** The value of `before` that requests this window. */
export const beforeOf = (window: number): number => window * windowSize + 1;

/** The window below the oldest shown action. */
export const windowBefore = (shown: number): number => windowOf(shown - 1);
