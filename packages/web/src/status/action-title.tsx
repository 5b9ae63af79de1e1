import { Name } from '../ui/name.tsx';
import type { TimelineAction } from './execution-text.ts';
import type { NamedState } from './state-looks.ts';
import { useStateLook, useStateLooks } from './use-state-look.tsx';
import styles from './action-title.module.css';

type Titled = Pick<TimelineAction, 'kind' | 'from' | 'to'>;

const prefix: Readonly<Record<Titled['kind'], string>> = {
  entry: 'Created in',
  retry: 'Retried in',
  correction: 'Corrected',
  move: '',
};

const StateName = ({ state }: { state: NamedState }) => <Name text={useStateLook(state).title} />;

const FromTo = ({ from, to }: { from: NamedState; to: NamedState }) => (
  <>
    <StateName state={from} />
    <span role="img" aria-label="to">
      →
    </span>
    <StateName state={to} />
  </>
);

/** `Arrived → Checked`, `Created in Arrived`, `Retried in Checked`. */
export const ActionTitle = ({ action: { kind, from, to } }: { action: Titled }) => (
  <span className={styles['title']}>
    {prefix[kind] === '' ? null : <span>{prefix[kind]}</span>}
    {kind === 'move' || kind === 'correction' ? <FromTo from={from} to={to} /> : <StateName state={to} />}
  </span>
);

/** The same as text, for tab titles. */
export function useActionText(): (action: Titled) => string {
  const lookOf = useStateLooks();
  return ({ kind, from, to }) => {
    const states = (kind === 'move' || kind === 'correction' ? [from, to] : [to]).map((state) => lookOf(state).title);
    return `${prefix[kind]} ${states.join(' → ')}`.trim();
  };
}

/** The author of an action: `The engine`. */
export function actorName({ kind, name }: TimelineAction['actor']): string {
  if (kind === 'engine') return 'The engine';
  if (kind === 'user') return name === '' ? 'A user' : name;
  if (kind === 'execution') return name === '' ? 'A callback' : `Callback ${name}`;
  return 'An operator';
}

/** The same in the middle of a sentence: `by the engine`. */
export function actorText({ kind, name }: TimelineAction['actor']): string {
  if (kind === 'engine') return 'by the engine';
  if (kind === 'user') return name === '' ? 'by a user' : `by ${name}`;
  if (kind === 'execution') return name === '' ? 'by a callback' : `by callback ${name}`;
  return 'by an operator';
}
