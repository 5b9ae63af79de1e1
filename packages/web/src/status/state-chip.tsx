import { Name } from '../ui/name.tsx';
import { stateColour, stateColours, type ColouredState } from './state-colour.ts';
import styles from './state-chip.module.css';

/** The look is known only if the response has it. */
export interface StateLike extends ColouredState {
  label: string;
}

type SquareProps = { id: number } | { colour: string };

/** By id, if the workflow of the state is not loaded. */
export const StateSquare = (props: SquareProps) => (
  <i
    className={styles['square']}
    style={{ background: 'id' in props ? stateColour(props.id) : props.colour }}
    aria-hidden="true"
  />
);

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

function Mark({ state }: { state: ColouredState }) {
  const colour = stateColours([state]).get(state.id) ?? '';
  return state.isFinal ? (
    <FinalMark outcome={state.outcome ?? 'neutral'} colour={colour} />
  ) : (
    <StateSquare colour={colour} />
  );
}

/** The label of a state with its colour. */
export const StateChip = ({ state }: { state: StateLike }) => (
  <span className={styles['chip']}>
    <Mark state={state} />
    <Name text={state.label} />
  </span>
);
