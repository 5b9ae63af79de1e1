import type { StateLook } from './graph/state-looks.ts';
import { StateMark } from './graph/state-mark.tsx';
import type { OutgoingTransition } from './outgoing-transitions.ts';
import styles from './workflow.module.css';

interface Props {
  label: string;
  transitions: readonly OutgoingTransition[];
  looks: ReadonlyMap<number, StateLook>;
}

/** The texts of the graph's tooltips, which are not accessible to every user. */
export const StateTransitions = ({ label, transitions, looks }: Props) =>
  transitions.length === 0 ? (
    <p className={styles['transitions']}>This is a final state.</p>
  ) : (
    <ul className={styles['transitions']} aria-label={`Transitions from ${label}`}>
      {transitions.map(({ id, destination, text }) => {
        const look = looks.get(destination.id);
        return (
          <li key={id}>
            To {look ? <StateMark look={look} /> : null} <bdi>{look?.title ?? destination.label}</bdi> ·{' '}
            <span dir="auto">{text}</span>
          </li>
        );
      })}
    </ul>
  );
