import { VisuallyHidden } from '@mantine/core';
import { Handle, Position, type Node, type NodeProps } from '@xyflow/react';
import { StateSquare } from '../../../status/state-chip.tsx';
import { Name } from '../../../ui/name.tsx';
import { count } from '../../../ui/numbers.ts';
import type { StateCounts } from '../use-workflow.ts';
import styles from './graph.module.css';

export type StateNodeData = {
  label: string;
  counts: StateCounts | undefined;
  isSelected: boolean;
  onClick: () => void;
};

export type StateNodeType = Node<StateNodeData, 'state'>;

const problemKinds = [
  { key: 'failed', word: 'failed' },
  { key: 'timed_out', word: 'timed out' },
  { key: 'blocked', word: 'blocked' },
  { key: 'waiting', word: 'waiting' },
] as const;

const problemsIn = (counts: StateCounts | undefined) =>
  problemKinds.map(({ key, word }) => ({ key, word, number: counts?.[key] ?? 0 })).filter(({ number }) => number > 0);

/** For screen readers: the problems that are not shown as text. */
const hiddenText = (counts: StateCounts | undefined) => {
  const [, ...others] = problemsIn(counts);
  return others.map(({ number, word }) => `, ${number} ${word}`).join('');
};

/** A state with its name, the number of its experiments, and how many of them have a problem or wait. */
export function StateNode({ id, data: { label, counts, isSelected, onClick } }: NodeProps<StateNodeType>) {
  const [worst] = problemsIn(counts);
  return (
    <>
      <button type="button" className={`${styles['node']} nopan`} aria-pressed={isSelected} onClick={onClick}>
        <span className={styles['label']}>
          <StateSquare id={Number(id)} />
          <Name text={label} />
        </span>
        <span className={styles['count']}>
          <span>
            {counts ? count(counts.experiments) : '–'}
            <VisuallyHidden> {counts?.experiments === 1 ? 'experiment' : 'experiments'}</VisuallyHidden>
          </span>
          {worst ? (
            <span data-problem={worst.key}>
              {count(worst.number)} {worst.word}
            </span>
          ) : null}
          <VisuallyHidden>{hiddenText(counts)}</VisuallyHidden>
        </span>
        <span className={styles['bar']}>
          {problemsIn(counts).map(({ key, number }) => (
            <s
              key={key}
              data-problem={key}
              style={{ width: `${(100 * number) / Math.max(1, counts?.experiments ?? 1)}%` }}
            />
          ))}
        </span>
      </button>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  );
}
