/** Several entries of one change on one line. Its single entries are listed under it when it is open. */
import { countOf } from '../../ui/numbers.ts';
import { useStateLooks } from '../../status/use-state-look.tsx';
import { EntryLine, EntryRow } from './entry-row.tsx';
import { foldedSentence } from './folded-sentences.ts';
import { startOf } from './folds.ts';
import { textOf, type NamesById } from './sentence.ts';
import type { useOpenEntries } from './use-open-entries.ts';
import type { Entry } from './use-audit.ts';
import styles from './audit.module.css';

interface Props {
  entries: readonly [Entry, ...Entry[]];
  names: NamesById;
  isOpen: boolean;
  onToggle: () => void;
  open: ReturnType<typeof useOpenEntries>;
}

export function EntryFold({ entries, names, isOpen, onToggle, open }: Props) {
  const lookOf = useStateLooks();
  const [newest] = entries;
  const pieces = foldedSentence(entries, names);
  const text = textOf(pieces, (state) => lookOf(state).title);
  const number = countOf(entries.length, 'entry', 'entries');
  const listId = `entries-${newest.id}`;
  return (
    <li className={styles['entry']} data-open={isOpen || undefined}>
      <EntryLine
        entry={newest}
        pieces={pieces}
        label={`${number}: ${text}`}
        number={number}
        start={startOf(entries)}
        detailsId={listId}
        isOpen={isOpen}
        onToggle={onToggle}
      />
      {isOpen ? (
        <ul id={listId} className={styles['folded']} aria-label={text}>
          {entries.map((entry) => (
            <EntryRow
              key={entry.id}
              entry={entry}
              names={names}
              isOpen={open.isOpen(entry.id)}
              onToggle={open.toggle}
            />
          ))}
        </ul>
      ) : null}
    </li>
  );
}
