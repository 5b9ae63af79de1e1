/**
 * How times are shown: as an age, in the reader's zone, or in UTC. The hint of each time has all three; who does not use
 * a pointer switches all of them at once from the command palette. Remembered in this browser.
 */
import { useSyncExternalStore } from 'react';

export const timeDisplays = [
  { value: 'relative', name: 'as age' },
  { value: 'local', name: 'in local time' },
  { value: 'utc', name: 'in UTC' },
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
