/**
 * How times are shown: relative, in the user's time zone, or in UTC. The tooltip of each time has all three. Without a
 * pointer, the command palette switches all times. The choice is stored in the browser.
 */
import { useSyncExternalStore } from 'react';

export const timeDisplays = [
  { value: 'relative', name: 'relative' },
  { value: 'local', name: 'local' },
  { value: 'utc', name: 'UTC' },
] as const;

export type TimeDisplay = (typeof timeDisplays)[number]['value'];

const key = 'milepost-times';
const listeners = new Set<() => void>();

const read = (): TimeDisplay =>
  timeDisplays.find(({ value }) => value === localStorage.getItem(key))?.value ?? 'relative';

export function setTimeDisplay(display: TimeDisplay): void {
  localStorage.setItem(key, display);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useTimeDisplay = (): TimeDisplay => useSyncExternalStore(subscribe, read);
