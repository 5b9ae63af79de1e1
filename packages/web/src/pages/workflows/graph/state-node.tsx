import { VisuallyHidden } from '@mantine/core';
import { StateMark } from '../../../status/state-chip.tsx';
import type { StateLook } from '../../../status/state-looks.ts';
import { useStateLook } from '../../../status/use-state-look.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Name } from '../../../ui/name.tsx';
import { count } from '../../../ui/numbers.ts';
import { stayText } from '../time-in-state-rows.ts';
import type { GraphState, StateCounts } from '../use-workflow.ts';
import { barParts, exceptionsIn, percentText } from './state-parts.ts';
import styles from './graph.module.css';

interface Props {
  state: GraphState;
  counts: StateCounts | undefined;
  /** The median time in the state in seconds, if experiments have left it lately. */
  median: number | undefined;
  /** The number of experiments in all final states. */
  finished: number;
  isPast: boolean;
  isSelected: boolean;
  onClick: () => void;
}

/** A state with its title, the number of its experiments, the most urgent exception, and a bar of proportions. */
export function StateNode({ state, counts, median, finished, isPast, isSelected, onClick }: Props) {
  const { x, y, width, height } = state;
  const look = useStateLook(state);
  const [worst, ...others] = counts ? exceptionsIn(counts) : [];
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
          <span data-kind={worst.kind}>
            {count(worst.number)} {worst.word}
          </span>
        ) : null}
        <VisuallyHidden>{others.map(({ number, word }) => `, ${count(number)} ${word}`).join('')}</VisuallyHidden>
      </span>
      <Detail look={look} callbacks={state.callbacks} counts={counts} median={median} finished={finished} />
      {look.outcome === undefined && !isPast ? <Bar counts={counts} /> : null}
    </button>
  );
}

interface DetailProps extends Pick<Props, 'counts' | 'median' | 'finished'> {
  look: StateLook;
  callbacks: readonly string[];
}

function Detail({ look, callbacks, counts, median, finished }: DetailProps) {
  if (look.decides)
    return (
      <span className={styles['decision']}>
        <Icon name="person" size={13} /> {counts?.decide ? `${count(counts.decide)} to decide` : 'Decision'}
      </span>
    );
  const text = look.outcome === undefined ? activeText({ callbacks, counts, median }) : finalText(counts, finished);
  return (
    <span className={styles['detail']}>
      <Name text={text} />
    </span>
  );
}

function activeText({ callbacks, counts, median }: Pick<DetailProps, 'callbacks' | 'counts' | 'median'>): string {
  if (counts?.waiting) return `${count(counts.waiting)} waiting`;
  return median === undefined ? callbacks.join(', ') : `median ${stayText(median)}`;
}

const finalText = (counts: StateCounts | undefined, finished: number) =>
  counts && finished > 0 ? `${percentText(counts.experiments, finished)} of finished` : 'Final state';

const Bar = ({ counts }: { counts: StateCounts | undefined }) => (
  <span className={styles['bar']}>
    {counts
      ? barParts(counts).map(({ kind, number }) => (
          <s key={kind} data-kind={kind} style={{ width: `${(100 * number) / Math.max(1, counts.experiments)}%` }} />
        ))
      : null}
  </span>
);
