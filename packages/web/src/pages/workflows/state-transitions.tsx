import { StateSquare } from '../../status/state-chip.tsx';
import type { OutgoingTransition } from './outgoing-transitions.ts';
import styles from './workflow.module.css';

interface Props {
  label: string;
  transitions: readonly OutgoingTransition[];
}

/** The texts of the graph's tooltips, which are not accessible to every user. */
export const StateTransitions = ({ label, transitions }: Props) =>
  transitions.length === 0 ? (
    <p className={styles['transitions']}>This is a final state.</p>
  ) : (
    <ul className={styles['transitions']} aria-label={`Transitions from ${label}`}>
      {transitions.map(({ id, destination, text }) => (
        <li key={id}>
          To <StateSquare id={destination.id} /> <bdi>{destination.label}</bdi> · <span dir="auto">{text}</span>
        </li>
      ))}
    </ul>
  );
