import { VisuallyHidden } from '@mantine/core';
import { Icon } from '../../../ui/icon.tsx';
import { Name } from '../../../ui/name.tsx';
import { count } from '../../../ui/numbers.ts';
import { StateMark } from '../../../status/state-chip.tsx';
import type { StateLook } from '../../../status/state-looks.ts';
import { useStateLook } from '../../../status/use-state-look.tsx';
import type { GraphState, StateCounts } from '../use-workflow.ts';
import styles from './graph.module.css';

interface Props {
  state: GraphState;
  counts: StateCounts | undefined;
  isSelected: boolean;
  onClick: () => void;
}

/** The parts of the bar, most urgent first. */
export const barKinds = [
  { key: 'failed', word: 'failed' },
  { key: 'timed_out', word: 'timed out' },
  { key: 'blocked', word: 'blocked' },
  { key: 'decide', word: 'to decide' },
  { key: 'waiting', word: 'waiting' },
] as const;

const partsOf = (counts: StateCounts | undefined) =>
  barKinds.map(({ key, word }) => ({ key, word, number: counts?.[key] ?? 0 })).filter(({ number }) => number > 0);

/** Decisions have a line of their own. */
const problemsIn = (counts: StateCounts | undefined) => partsOf(counts).filter(({ key }) => key !== 'decide');

/** For screen readers: the problems that are not shown as text. */
const hiddenText = (counts: StateCounts | undefined) => {
  const [, ...others] = problemsIn(counts);
  return others.map(({ number, word }) => `, ${number} ${word}`).join('');
};

/** A state with its name, the number of its experiments, and how many of them have a problem or wait for a decision or a report. */
export function StateNode({ state, counts, isSelected, onClick }: Props) {
  const { x, y, width, height, callbacks } = state;
  const look = useStateLook(state);
  const [worst] = problemsIn(counts);
  return (
    <button
      type="button"
      className={styles['node']}
      style={{ left: x, top: y, width, height }}
      aria-pressed={isSelected}
      data-final={look.outcome !== undefined || undefined}
      onClick={onClick}
    >
      <span className={styles['label']}>
        <StateMark state={state} />
        <Name text={look.title} />
      </span>
      <span className={styles['count']}>
        <span>
          {counts ? count(counts.experiments) : '–'}
          <VisuallyHidden> {counts?.experiments === 1 ? 'experiment' : 'experiments'}</VisuallyHidden>
        </span>
        {worst ? (
          <span data-kind={worst.key}>
            {count(worst.number)} {worst.word}
          </span>
        ) : null}
        <VisuallyHidden>{hiddenText(counts)}</VisuallyHidden>
      </span>
      <Detail look={look} callbacks={callbacks} toDecide={counts?.decide ?? 0} />
      <Bar counts={counts} />
    </button>
  );
}

interface DetailProps {
  look: StateLook;
  callbacks: readonly string[];
  toDecide: number;
}

function Detail({ look, callbacks, toDecide }: DetailProps) {
  if (look.decides)
    return (
      <span className={styles['decision']}>
        <Icon name="person" size={13} /> {toDecide === 0 ? 'Decision' : `${count(toDecide)} to decide`}
      </span>
    );
  return (
    <span className={styles['detail']}>
      <Name text={look.outcome === undefined ? callbacks.join(', ') : 'Final state'} />
    </span>
  );
}

const Bar = ({ counts }: { counts: StateCounts | undefined }) => (
  <span className={styles['bar']}>
    {partsOf(counts).map(({ key, number }) => (
      <s key={key} data-kind={key} style={{ width: `${(100 * number) / Math.max(1, counts?.experiments ?? 1)}%` }} />
    ))}
  </span>
);
