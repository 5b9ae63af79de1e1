import { Link } from 'react-router';
import { experimentsWith } from '../../query/query-path.ts';
import { StateChip } from '../../status/state-chip.tsx';
import { cappedCount, countOf } from '../../ui/numbers.ts';
import { tooltip } from '../../ui/tooltip.tsx';
import type { RestingState } from './attention-kinds.ts';
import styles from './attention.module.css';

const experimentsIn = ({ state, workflow }: RestingState) =>
  experimentsWith({ workflow: workflow.label, state: state.label });

/** A state in which users decide, with the number of experiments. */
export const DecisionState = ({ resting }: { resting: RestingState }) => (
  <div className={styles['state']}>
    <StateChip state={resting.state} />
    <span className={styles['freetext']} dir="auto" {...tooltip(resting.freetext)}>
      {resting.freetext}
    </span>
    <span className={styles['number']}>
      {cappedCount(resting.experiments)} {resting.experiments === 1 ? 'experiment' : 'experiments'}
      {resting.overdue === 0 ? null : <b> · {cappedCount(resting.overdue)} overdue</b>}
    </span>
  </div>
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
