import { useMemo } from 'react';
import { countOf } from '../../../ui/numbers.ts';
import { MutedText } from '../../../ui/section.tsx';
import { compareLines, foldUnchanged, type Line, type Part } from './compare-lines.ts';
import styles from './definition.module.css';

const signs = { same: ' ', added: '+', removed: '−' } as const;
const spoken = { same: undefined, added: 'Added: ', removed: 'Removed: ' } as const;

/** The lines of a revision that differ from the one before it. */
export function Changes({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => foldUnchanged(compareLines(before, after)), [before, after]);
  if (!parts.some(({ kind }) => kind === 'lines')) return <MutedText>No lines changed.</MutedText>;
  return (
    <div role="group" aria-label="Changes" tabIndex={0} className={styles['changes']}>
      {parts.map((part, index) => (
        <ChangedPart key={index} part={part} />
      ))}
    </div>
  );
}

const ChangedPart = ({ part }: { part: Part }) =>
  part.kind === 'unchanged' ? (
    <p className={styles['unchanged']}>{countOf(part.count, 'unchanged line')}</p>
  ) : (
    part.lines.map((line, index) => <ChangedLine key={index} line={line} />)
  );

const ChangedLine = ({ line: { kind, text } }: { line: Line }) => (
  <div className={styles['line']} data-kind={kind}>
    <span aria-hidden="true">{signs[kind]}</span>
    <pre dir="auto">
      {spoken[kind] === undefined ? null : <span className={styles['spoken']}>{spoken[kind]}</span>}
      {text}
    </pre>
  </div>
);
