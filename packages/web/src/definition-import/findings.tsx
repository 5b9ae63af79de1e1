/** Faults or warnings of a file. A click on the position of one selects its line in the text. */
import type { RefObject } from 'react';
import { Section } from '../ui/section.tsx';
import { countOf } from '../ui/numbers.ts';
import { lineAt, type Finding, type Place } from './faults.ts';
import styles from './definition-import.module.css';

interface Props {
  kind: 'fault' | 'warning';
  findings: readonly Finding[];
  text: string;
  area: RefObject<HTMLTextAreaElement | null>;
}

/** The browser scrolls to the selection when the field gets the focus. */
function select(area: HTMLTextAreaElement | null, text: string, place: Place): void {
  const { content, start, index } = lineAt(text, place);
  area?.setSelectionRange(index, index);
  area?.blur();
  area?.focus();
  area?.setSelectionRange(index, start + content.length);
}

export const Findings = ({ kind, findings, text, area }: Props) =>
  findings.length === 0 ? null : (
    <div role={kind === 'fault' ? 'alert' : undefined}>
      <Section title={countOf(findings.length, kind)}>
        <ol className={styles['findings']} data-kind={kind}>
          {findings.map(({ text: words, place }, index) => (
            <li key={index}>
              {place ? (
                <button type="button" className={styles['place']} onClick={() => select(area.current, text, place)}>
                  Line {place.line}, column {place.column}
                </button>
              ) : null}
              <p>{words}</p>
              {place ? <Line content={lineAt(text, place).content} column={place.column} /> : null}
            </li>
          ))}
        </ol>
      </Section>
    </div>
  );

/** The rest of the line from the column on is marked. */
const Line = ({ content, column }: { content: string; column: number }) =>
  content.trim() === '' ? null : (
    <pre className={styles['faultyLine']}>
      {content.slice(0, column - 1).trimStart()}
      <mark>{content.slice(column - 1)}</mark>
    </pre>
  );
