import type { LiveStatus } from '../live/shared-events.ts';
import { hint } from '../shown/hints.tsx';
import styles from './frame.module.css';

const signs: Record<LiveStatus, { word: string; why: string }> = {
  live: { word: 'Live', why: 'What you see follows every change within a second.' },
  connecting: { word: 'Connecting…', why: 'The page is not yet told of changes.' },
  interrupted: { word: 'Not live', why: 'The connection broke; it is tried again. What you see may be out of date.' },
};

export function LiveSign({ status }: { status: LiveStatus }) {
  const { word, why } = signs[status];
  return (
    <span role="status" className={styles['live']} data-status={status} {...hint(why)}>
      <i aria-hidden="true" />
      <span>{word}</span>
    </span>
  );
}
