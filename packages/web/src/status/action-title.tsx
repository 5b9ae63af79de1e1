import { Name } from '../ui/name.tsx';
import type { TimelineAction } from './execution-text.ts';
import type { StateLike } from './state-chip.tsx';
import styles from './action-title.module.css';

type Titled = Pick<TimelineAction, 'kind' | 'from' | 'to'>;

const prefix: Readonly<Record<Titled['kind'], string>> = {
  entry: 'Created in',
  retry: 'Retried in',
  correction: 'Corrected',
  move: '',
};

const FromTo = ({ from, to }: { from: StateLike; to: StateLike }) => (
  <>
    <Name text={from.label} />
    <span role="img" aria-label="to">
      →
    </span>
    <Name text={to.label} />
  </>
);

/** `Arrived → Checked`, `Created in Arrived`, `Retried in Checked`. */
export const ActionTitle = ({ action: { kind, from, to } }: { action: Titled }) => (
  <span className={styles['title']}>
    {prefix[kind] === '' ? null : <span>{prefix[kind]}</span>}
    {kind === 'move' || kind === 'correction' ? <FromTo from={from} to={to} /> : <Name text={to.label} />}
  </span>
);

/** The same as text, for tab titles. */
export function actionText({ kind, from, to }: Titled): string {
  const states = kind === 'move' || kind === 'correction' ? `${from.label} → ${to.label}` : to.label;
  return [prefix[kind], states].filter((part) => part !== '').join(' ');
}

/** The author of an action: `by the workflow`. */
export function actorText({ kind, name }: TimelineAction['actor']): string {
  if (kind === 'engine') return 'by the workflow';
  if (kind === 'user') return name === '' ? 'by a user' : `by ${name}`;
  if (kind === 'execution') return name === '' ? 'by a callback' : `by callback ${name}`;
  return 'by an operator';
}
