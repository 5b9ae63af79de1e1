import { Icon } from '../ui/icon.tsx';
import { Name } from '../ui/name.tsx';
import type { NamedState } from './state-looks.ts';
import { useStateLook } from './use-state-look.tsx';
import styles from './state-chip.module.css';

const outcomePaths = {
  good: 'M4.5 8.3l2.3 2.3 4.7-4.8',
  bad: 'M5.3 5.3l5.4 5.4M10.7 5.3l-5.4 5.4',
  neutral: 'M4.8 8h6.4',
};

/** A final state, with its outcome as a sign besides the colour. */
export const FinalMark = ({ outcome, colour }: { outcome: keyof typeof outcomePaths; colour: string }) => (
  <svg className={styles['final']} width="12" height="12" viewBox="0 0 16 16" aria-hidden="true">
    <circle cx="8" cy="8" r="8" fill={colour} />
    <path d={outcomePaths[outcome]} fill="none" stroke="var(--panel)" strokeWidth="2" strokeLinecap="round" />
  </svg>
);

/** The colour of a state, or the outcome of a final one. Its title is always next to it. */
export function StateMark({ state }: { state: NamedState }) {
  const { outcome, colour } = useStateLook(state);
  return outcome === undefined ? (
    <i className={styles['square']} style={{ background: colour }} aria-hidden="true" />
  ) : (
    <FinalMark outcome={outcome} colour={colour} />
  );
}

/** The title of a state, with its colour and a person if users decide there. */
export function StateChip({ state }: { state: NamedState }) {
  const { title, decides } = useStateLook(state);
  return (
    <span className={styles['chip']}>
      <StateMark state={state} />
      <Name text={title} />
      {decides ? <Icon name="person" size={13} /> : null}
    </span>
  );
}
