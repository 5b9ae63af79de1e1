/** An entry on one line: time, author, sentence, kind. Its values and ids are shown when it is open. */
import { Icon } from '../../ui/icon.tsx';
import { useNow } from '../../ui/now.ts';
import { allFormats } from '../../ui/times.ts';
import { tooltip } from '../../ui/tooltip.tsx';
import { useStateLooks } from '../../status/use-state-look.tsx';
import { Actor } from './actor.tsx';
import { EntryDetails } from './entry-details.tsx';
import { kindNames } from './kind-names.ts';
import { textOf, type NamesById, type Piece } from './sentence.ts';
import { Quote, SentenceView } from './sentence-view.tsx';
import { sentenceOf } from './sentences.ts';
import type { Entry } from './use-audit.ts';
import styles from './audit.module.css';

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

interface Props {
  entry: Entry;
  names: NamesById;
  isOpen: boolean;
  onToggle: (id: number) => void;
}

export function EntryRow({ entry, names, isOpen, onToggle }: Props) {
  const lookOf = useStateLooks();
  const pieces = sentenceOf(entry, names);
  const detailsId = `entry-${entry.id}`;
  return (
    <li className={styles['entry']} data-open={isOpen || undefined}>
      <EntryLine
        entry={entry}
        pieces={pieces}
        label={`Details: ${textOf(pieces, (state) => lookOf(state).title)}`}
        {...{ detailsId, isOpen, onToggle }}
      />
      {isOpen ? <EntryDetails id={detailsId} entry={entry} names={names} /> : null}
    </li>
  );
}

interface LineProps {
  entry: Entry;
  pieces: readonly Piece[];
  /** The name of the button that opens it. */
  label: string;
  /** `4 entries`, if the line is of several. */
  number?: string;
  /** When the oldest of them happened, if the line has a time range. */
  start?: string | undefined;
  detailsId: string;
  isOpen: boolean;
  onToggle: (id: number) => void;
}

const ClockTime = ({ at }: { at: string }) => (
  <time dateTime={at} {...tooltip(allFormats(at, useNow()))}>
    {clock.format(new Date(at))}
  </time>
);

export function EntryLine({ entry, pieces, label, number, start, detailsId, isOpen, onToggle }: LineProps) {
  return (
    <div className={styles['row']}>
      <span className={styles['time']}>
        {start === undefined ? null : (
          <>
            <ClockTime at={start} />–
          </>
        )}
        <ClockTime at={entry.at} />
      </span>
      <Actor actor={entry.actor} />
      <p className={styles['sentence']}>
        <SentenceView pieces={pieces} />
        {entry.reason === '' ? null : (
          <>
            {' '}
            <Quote text={entry.reason} />
          </>
        )}
      </p>
      <span className={styles['kind']}>
        {number === undefined ? null : `${number} · `}
        <span>{kindNames[entry.kind][0]}</span>
      </span>
      <button
        type="button"
        className={styles['toggle']}
        aria-expanded={isOpen}
        aria-controls={isOpen ? detailsId : undefined}
        aria-label={label}
        onClick={() => onToggle(entry.id)}
      >
        <Icon name="down" size={14} />
      </button>
    </div>
  );
}
