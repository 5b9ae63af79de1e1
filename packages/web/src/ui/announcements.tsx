/** Short messages about the user's last action, shown for a while and read by screen readers. */
import { useSyncExternalStore } from 'react';
import { problemLine } from '../api/problems.ts';
import { Icon } from './icon.tsx';
import { textWithCode } from './text-with-code.tsx';
import styles from './announcements.module.css';

interface Announcement {
  id: number;
  text: string;
  kind: 'done' | 'problem';
}

const shownMilliseconds = { done: 5_000, problem: 20_000 };
const listeners = new Set<() => void>();
let current: readonly Announcement[] = [];
let count = 0;

function set(next: readonly Announcement[]): void {
  current = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number) => set(current.filter((one) => one.id !== id));

function announce(text: string, kind: Announcement['kind']): void {
  const id = ++count;
  set([...current, { id, text, kind }].slice(-3));
  setTimeout(() => dismiss(id), shownMilliseconds[kind]);
}

export const announceDone = (text: string): void => announce(text, 'done');
export const announceProblem = (error: unknown): void => announce(problemLine(error), 'problem');
/** For an action that succeeded only in part: what remains, and why. */
export const announcePartialFailure = (rest: string, error: unknown): void =>
  announce(`${rest} ${problemLine(error)}`, 'problem');

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export function Announcements() {
  const all = useSyncExternalStore(subscribe, () => current);
  return (
    <div role="status" aria-live="polite" className={styles['announcements']}>
      {all.map(({ id, text, kind }) => (
        <div key={id} className={styles['announcement']} data-kind={kind}>
          <Icon name={kind === 'done' ? 'success' : 'failed'} />
          <span dir="auto">{textWithCode(text)}</span>
          <button type="button" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
