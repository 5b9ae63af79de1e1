/** The entries of a day. Those of programs are loaded when the user shows them. */
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useFilters } from '../../filters/use-filters.ts';
import { useNow } from '../../ui/now.ts';
import { QueryErrors } from '../../ui/query-result.tsx';
import { startOfDay } from '../../ui/times.ts';
import { dayTitle } from './days.ts';
import { hiddenText, shownText } from './day-counts.ts';
import { EntryFold } from './entry-fold.tsx';
import { EntryRow } from './entry-row.tsx';
import { foldNeighbours } from './folds.ts';
import { namesById } from './sentence.ts';
import { useOpenEntries, useOpenFolds } from './use-open-entries.ts';
import { useAudit, type Day, type Entry, type Filters } from './use-audit.ts';
import styles from './audit.module.css';

type ShownEntry = Entry & { page: { names: Parameters<typeof namesById>[0] } };

interface Props {
  day: string;
  entries: readonly ShownEntry[];
  counts: Day | undefined;
  filters: Filters;
}

export function DaySection({ day, entries, counts, filters }: Props) {
  const { title, date } = dayTitle(day, useNow());
  const { days, toggle } = useShownDays();
  const isByPeople = filters.by === 'people';
  const isShown = isByPeople && days.includes(day);
  const headingId = `day-${day}`;
  return (
    <section aria-labelledby={headingId} className={styles['day']}>
      <div className={styles['dayHead']}>
        <h2 id={headingId}>
          {title}
          {date === undefined ? null : <b> {date}</b>}
        </h2>
        {counts ? <Counts counts={counts} {...{ isByPeople, isShown }} onToggle={() => toggle(day)} /> : null}
      </div>
      {isShown ? <WholeDay day={day} filters={filters} /> : <EntryList label={title} entries={entries} />}
    </section>
  );
}

interface CountsProps {
  counts: Day;
  isByPeople: boolean;
  isShown: boolean;
  onToggle: () => void;
}

function Counts({ counts, isByPeople, isShown, onToggle }: CountsProps) {
  const hidden = isByPeople ? hiddenText(counts) : undefined;
  return (
    <p className={styles['counts']}>
      {shownText(counts, isByPeople)} {isShown || hidden === undefined ? null : hidden}{' '}
      {hidden === undefined ? null : (
        <button type="button" className={styles['inlineButton']} aria-expanded={isShown} onClick={onToggle}>
          {isShown ? 'Hide service accounts and workflows' : 'Show'}
        </button>
      )}
    </p>
  );
}

/** In the URL, like the filters. */
function useShownDays() {
  const { textOf, set } = useFilters();
  const days = textOf('show')?.split(',') ?? [];
  const toggle = (day: string) =>
    set({ show: (days.includes(day) ? days.filter((one) => one !== day) : [...days, day]).join(',') });
  return { days, toggle };
}

function WholeDay({ day, filters: { by: _people, ...filters } }: Pick<Props, 'day' | 'filters'>) {
  const period = { from: startOfDay(day) ?? '', to: startOfDay(day, 1) ?? '' };
  const audit = useAudit({ ...filters, ...period });
  return (
    <>
      <QueryErrors queries={[audit.first]} />
      <EntryList label={day} entries={audit.rows} />
      {audit.hasMore && audit.first.data !== undefined ? (
        <Button variant="subtle" loading={audit.isLoadingMore} onClick={audit.loadMore}>
          Load more of this day
        </Button>
      ) : null}
    </>
  );
}

function EntryList({ label, entries }: { label: string; entries: readonly ShownEntry[] }) {
  const open = useOpenEntries();
  const openFolds = useOpenFolds(open);
  const folds = useMemo(() => foldNeighbours(entries), [entries]);
  const names = namesById([...new Set(entries.map(({ page }) => page))].flatMap((page) => page.names));
  return (
    <ul className={styles['entries']} aria-label={`Entries of ${label}`}>
      {folds.map((fold) => {
        const [entry] = fold;
        if (fold.length === 1) {
          return (
            <EntryRow key={entry.id} {...{ entry, names }} isOpen={open.isOpen(entry.id)} onToggle={open.toggle} />
          );
        }
        const ids = fold.map(({ id }) => id);
        const shared = { names, open, isOpen: openFolds.isOpen(ids), onToggle: () => openFolds.toggle(ids) };
        // A refresh adds newer entries, so the oldest identifies the fold.
        return <EntryFold key={ids.at(-1)} entries={fold} {...shared} />;
      })}
    </ul>
  );
}
