import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { StateChip } from '../../status/state-chip.tsx';
import { count, countOf } from '../../ui/numbers.ts';
import { tooltip } from '../../ui/tooltip.tsx';
import type { RestingState } from './use-attention.ts';
import styles from './attention.module.css';

const experimentsIn = ({ state, workflow }: RestingState) =>
  `${paths.experiments}?workflow=${workflow.id}&state=${state.id}`;

/** The states in which users decide, with the number of experiments. */
export const DecisionStates = ({ states }: { states: readonly RestingState[] }) => (
  <ul className={styles['states']} aria-label="States to decide in">
    {states.map((resting) => (
      <li key={resting.state.id}>
        <StateChip state={resting.state} />
        <span className={styles['freetext']} dir="auto" {...tooltip(resting.freetext)}>
          {resting.freetext}
        </span>
        <span className={styles['number']}>
          {countOf(resting.experiments, 'experiment')}
          {resting.overdue === 0 ? null : <b> · {count(resting.overdue)} overdue</b>}
        </span>
      </li>
    ))}
  </ul>
);

/** One quiet line for each state where experiments stay, although its file does not say whether users must decide. */
export const UndecidedStates = ({ states }: { states: readonly RestingState[] }) =>
  states.map((resting) => (
    <p key={resting.state.id} className={styles['undecided']}>
      <Link to={experimentsIn(resting)}>{countOf(resting.experiments, 'experiment')}</Link>
      {resting.experiments === 1 ? ' stays in ' : ' stay in '}
      <StateChip state={resting.state} /> until a user moves {resting.experiments === 1 ? 'it' : 'them'}.
    </p>
  ));
