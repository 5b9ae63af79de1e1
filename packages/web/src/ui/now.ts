/** One clock for all ages on a page. It pauses while the tab is hidden. */
import { useSyncExternalStore } from 'react';

const tickMilliseconds = 10_000;
const listeners = new Set<() => void>();
let current = new Date();
let timer: number | undefined;

const tick = () => {
  if (document.hidden) return;
  current = new Date();
  for (const listener of listeners) listener();
};

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    current = new Date();
    timer = window.setInterval(tick, tickMilliseconds);
    document.addEventListener('visibilitychange', tick);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}

export const useNow = (): Date => useSyncExternalStore(subscribe, () => current);

const today = () => current.toISOString().slice(0, 10);

/** In UTC. Components render again only when the day changes. */
export const useToday = (): string => useSyncExternalStore(subscribe, today);
