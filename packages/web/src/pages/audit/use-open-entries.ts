import { useState } from 'react';
import { useFilters } from '../../filters/use-filters.ts';

/** The entry of a link is open from the start. */
export function useOpenEntries() {
  const linked = useFilters().numberOf('entry');
  const [changed, setChanged] = useState<ReadonlySet<number>>(new Set());
  const isOpen = (id: number) => changed.has(id) !== (id === linked);
  const toggle = (id: number) =>
    setChanged((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  return { isOpen, toggle };
}
