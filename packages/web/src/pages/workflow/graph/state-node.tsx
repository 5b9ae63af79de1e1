import { VisuallyHidden } from '@mantine/core';
import { Handle, Position, type Node, type NodeProps } from '@xyflow/react';
import { Name } from '../../../shown/name.tsx';
import { count } from '../../../shown/numbers.ts';
import { StateSquare } from '../../../shown/state-chip.tsx';
import type { StateCounts } from '../use-workflow.ts';
import styles from './graph.module.css';

export type StateNodeData = {
  label: string;
  counts: StateCounts | undefined;
  selected: boolean;
  onChoose: () => void;
};

export type StateNodeType = Node<StateNodeData, 'state'>;

const troubles = [
  { key: 'failed', word: 'failed' },
  { key: 'timed_out', word: 'timed out' },
  { key: 'blocked', word: 'blocked' },
  { key: 'waiting', word: 'waiting' },
] as const;

const troublesIn = (counts: StateCounts | undefined) =>
  troubles.map(({ key, word }) => ({ key, word, number: counts?.[key] ?? 0 })).filter(({ number }) => number > 0);

/** Only heard: what the number counts, and the troubles that there is no room for. */
const heard = (counts: StateCounts | undefined) => {
  const [, ...others] = troublesIn(counts);
  return others.map(({ number, word }) => `, ${number} ${word}`).join('');
};

/** A state with its name, how many experiments are there, and how many of them are in trouble or wait. */
export function StateNode({ id, data: { label, counts, selected, onChoose } }: NodeProps<StateNodeType>) {
  const [worst] = troublesIn(counts);
  return (
    <>
      <button type="button" className={`${styles['node']} nopan`} aria-pressed={selected} onClick={onChoose}>
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
            <span data-trouble={worst.key}>
              {count(worst.number)} {worst.word}
            </span>
          ) : null}
          <VisuallyHidden>{heard(counts)}</VisuallyHidden>
        </span>
        <span className={styles['bar']}>
          {troublesIn(counts).map(({ key, number }) => (
            <s
              key={key}
              data-trouble={key}
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
