/** What keeps the installation from working fully, from the header of the latest response. */
import { degradedHeader } from '@milepost/api';
import { useSyncExternalStore } from 'react';

let current = '';
const listeners = new Set<() => void>();

export function noteDegraded({ headers }: Response): void {
  const now = headers.get(degradedHeader) ?? '';
  if (now === current) return;
  current = now;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The names of the conditions, separated by commas. Empty if there are none. */
export const useDegraded = (): string => useSyncExternalStore(subscribe, () => current);
