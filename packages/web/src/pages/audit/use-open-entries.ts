import { useState } from 'react';
import { useFilters } from '../../filters/use-filters.ts';

/** The entry of a link is open from the start. */
export function useOpenEntries() {
  const linked = useFilters().numberOf('entry');
  const [changed, setChanged] = useState<ReadonlySet<number>>(new Set());
  const isOpen = (id: number) => changed.has(id) !== (id === linked);
  const toggle = (...ids: readonly number[]) =>
    setChanged(
      (before) => new Set([...[...before].filter((id) => !ids.includes(id)), ...ids.filter((id) => !before.has(id))]),
    );
  return { isOpen, toggle };
}

/** A fold is open if one of its entries is, because entries that are loaded later can join it at both ends. */
export function useOpenFolds(open: ReturnType<typeof useOpenEntries>) {
  const marked = useOpenEntries();
  const isOpen = (ids: readonly number[]) => ids.some((id) => marked.isOpen(id) || open.isOpen(id));
  const toggle = (ids: readonly number[]) => {
    if (!isOpen(ids)) return marked.toggle(...ids.slice(0, 1));
    marked.toggle(...ids.filter(marked.isOpen));
    open.toggle(...ids.filter(open.isOpen));
  };
  return { isOpen, toggle };
}
