/** Several entries of one change on one line. Its single entries are listed under it when it is open. */
import { useStateLooks } from '../../status/use-state-look.tsx';
import { EntryLine, EntryRow } from './entry-row.tsx';
import { foldedSentence } from './folded-sentences.ts';
import { textOf, type NamesById } from './sentence.ts';
import type { useOpenEntries } from './use-open-entries.ts';
import type { Entry } from './use-audit.ts';
import styles from './audit.module.css';

interface Props {
  entries: readonly [Entry, ...Entry[]];
  names: NamesById;
  isOpen: boolean;
  onToggle: (id: number) => void;
  open: ReturnType<typeof useOpenEntries>;
}

export function EntryFold({ entries, names, isOpen, onToggle, open }: Props) {
  const lookOf = useStateLooks();
  const [newest] = entries;
  const pieces = foldedSentence(entries, names);
  const text = textOf(pieces, (state) => lookOf(state).title);
  const listId = `entries-${newest.id}`;
  return (
    <li className={styles['entry']} data-open={isOpen || undefined}>
      <EntryLine
        entry={newest}
        pieces={pieces}
        label={`${entries.length} entries: ${text}`}
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
