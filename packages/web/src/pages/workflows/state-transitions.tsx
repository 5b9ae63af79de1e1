import { StateMark } from '../../status/state-chip.tsx';
import { useStateLooks } from '../../status/use-state-look.tsx';
import type { OutgoingTransition } from './outgoing-transitions.ts';
import styles from './workflow.module.css';

interface Props {
  label: string;
  transitions: readonly OutgoingTransition[];
}

/** The texts of the graph's tooltips, which are not accessible to every user. */
export function StateTransitions({ label, transitions }: Props) {
  const lookOf = useStateLooks();
  if (transitions.length === 0) return <p className={styles['transitions']}>This is a final state.</p>;
  return (
    <ul className={styles['transitions']} aria-label={`Transitions from ${label}`}>
      {transitions.map(({ id, destination, text }) => (
        <li key={id}>
          To <StateMark state={destination} /> <bdi>{lookOf(destination).title}</bdi> · <span dir="auto">{text}</span>
        </li>
      ))}
    </ul>
  );
}
