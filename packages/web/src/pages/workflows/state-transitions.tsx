import { StateMark } from '../../status/state-chip.tsx';
import { useStateLooks } from '../../status/use-state-look.tsx';
import type { OutgoingTransition } from './outgoing-transitions.ts';
import styles from './workflow.module.css';

interface Props {
  label: string;
  transitions: readonly OutgoingTransition[];
}

/** The texts of the graph's cards, which need a pointer or a keyboard. */
export function StateTransitions({ label, transitions }: Props) {
  const lookOf = useStateLooks();
  if (transitions.length === 0) return null;
  return (
    <details className={styles['transitions']}>
      <summary>Transitions from {label}</summary>
      <ul>
        {transitions.map(({ id, destination, actor, condition }) => (
          <li key={id}>
            To <StateMark state={destination} /> <bdi>{lookOf(destination).title}</bdi> ·{' '}
            <span dir="auto">{actor}</span>
            {condition === '' ? null : (
              <>
                {' '}
                if <code dir="ltr">{condition}</code>
              </>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
