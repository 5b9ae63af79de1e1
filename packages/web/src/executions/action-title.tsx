import { Name } from '../shown/name.tsx';
import type { StateLike } from '../shown/state-chip.tsx';
import type { TimelineAction } from './execution-words.ts';
import styles from './action-title.module.css';

type Titled = Pick<TimelineAction, 'kind' | 'from' | 'to'>;

const before: Readonly<Record<Titled['kind'], string>> = {
  entry: 'Created in',
  retry: 'Run again in',
  correction: 'Placed from',
  move: '',
};

const Way = ({ from, to }: { from: StateLike; to: StateLike }) => (
  <>
    <Name text={from.label} />
    <span role="img" aria-label="to">
      →
    </span>
    <Name text={to.label} />
  </>
);

/** `Arrived → Checked`, `Created in Arrived`, `Run again in Checked`. */
export const ActionTitle = ({ action: { kind, from, to } }: { action: Titled }) => (
  <span className={styles['title']}>
    {before[kind] === '' ? null : <span>{before[kind]}</span>}
    {kind === 'move' || kind === 'correction' ? <Way from={from} to={to} /> : <Name text={to.label} />}
  </span>
);

/** The same as text, for titles of tabs. */
export function actionText({ kind, from, to }: Titled): string {
  const way = kind === 'move' || kind === 'correction' ? `${from.label} → ${to.label}` : to.label;
  return [before[kind], way].filter((part) => part !== '').join(' ');
}
