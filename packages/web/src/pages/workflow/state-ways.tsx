import { StateSquare } from '../../shown/state-chip.tsx';
import type { WayOn } from './ways-on.ts';
import styles from './workflow.module.css';

/** What the lines of the graph say to a pointer, as text for everybody. */
export const StateWays = ({ label, ways }: { label: string; ways: readonly WayOn[] }) =>
  ways.length === 0 ? (
    <p className={styles['ways']}>From here no way leads on: this is where the workflow ends.</p>
  ) : (
    <ul className={styles['ways']} aria-label={`Ways on from ${label}`}>
      {ways.map(({ id, destination, words }) => (
        <li key={id}>
          To <StateSquare id={destination.id} /> <bdi>{destination.label}</bdi> · <span dir="auto">{words}</span>
        </li>
      ))}
    </ul>
  );
