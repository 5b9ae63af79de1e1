import { Name } from '../ui/name.tsx';
import { stateColour } from './state-colour.ts';
import styles from './state-chip.module.css';

export interface StateLike {
  id: number;
  label: string;
}

export const StateSquare = ({ id }: { id: number }) => (
  <i className={styles['square']} style={{ background: stateColour(id) }} aria-hidden="true" />
);

/** The label of a state with its colour. */
export const StateChip = ({ state }: { state: StateLike }) => (
  <span className={styles['chip']}>
    <StateSquare id={state.id} />
    <Name text={state.label} />
  </span>
);
