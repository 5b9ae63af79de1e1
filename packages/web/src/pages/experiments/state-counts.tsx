/** The number of found experiments in each state. A click limits the query to the state. */
import { StateMark } from '../../status/state-chip.tsx';
import { useStateLook } from '../../status/use-state-look.tsx';
import type { BodyOf } from '../../api/operation-query.ts';
import { count } from '../../ui/numbers.ts';
import { useOtherStates, withoutStates, withState } from './use-found.ts';
import styles from './experiments-page.module.css';

type Counted = BodyOf<'searchExperiments'>['states'][number];

interface Props {
  q: string;
  states: readonly Counted[];
  /** Whether the numbers are a minimum. */
  more: boolean;
  onChange: (q: string) => void;
}

export function StateCounts({ q, states, more, onChange }: Props) {
  const all = useOtherStates(q);
  const shown = new Set(states.map(({ state }) => state.id));
  const others = all.states.filter(({ state }) => !shown.has(state.id));
  const isChosen = withoutStates(q) !== undefined;
  const labels = [...states, ...others].map(({ state }) => state.label);
  /** The workflow, if another one has a state with the same label. */
  const workflowOf = ({ state, workflow }: Counted) =>
    labels.filter((label) => label === state.label).length > 1 ? workflow.label : undefined;
  const choose = (one: Counted) => onChange(withState(q, one.state.label, workflowOf(one)));
  if (labels.length === 0) return null;
  return (
    <ul className={styles['states']} aria-label="Experiments by state">
      {states.map((one) => (
        <StateCount
          key={one.state.id}
          counted={one}
          workflow={workflowOf(one)}
          more={more}
          isChosen={isChosen}
          onClick={() => (isChosen ? onChange(withoutStates(q) ?? q) : choose(one))}
        />
      ))}
      {others.length > 0 ? <li className={styles['others']}>Other states</li> : null}
      {others.map((one) => (
        <StateCount
          key={one.state.id}
          counted={one}
          workflow={workflowOf(one)}
          more={all.more}
          isChosen={false}
          onClick={() => choose(one)}
        />
      ))}
    </ul>
  );
}

interface CountProps {
  counted: Counted;
  workflow: string | undefined;
  more: boolean;
  isChosen: boolean;
  onClick: () => void;
}

function StateCount({ counted: { state, experiments }, workflow, more, isChosen, onClick }: CountProps) {
  const { title } = useStateLook(state);
  return (
    <li>
      <button type="button" className={styles['state']} aria-pressed={isChosen} onClick={onClick}>
        <StateMark state={state} /> <bdi>{workflow === undefined ? title : `${title} (${workflow})`}</bdi>{' '}
        <b>
          {count(experiments)}
          {more ? '+' : ''}
        </b>
      </button>
    </li>
  );
}
