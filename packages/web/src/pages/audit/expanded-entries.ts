import { createContext, use, useMemo, useState } from 'react';

interface ExpandedEntries {
  ids: ReadonlySet<number>;
  toggle: (id: number) => void;
}

/** The open entries. Scrolling unmounts rows, so they cannot hold this state themselves. */
export const ExpandedEntriesContext = createContext<ExpandedEntries>({ ids: new Set(), toggle: () => undefined });

export const useExpandedEntries = () => use(ExpandedEntriesContext);

export function useExpandedEntriesState(): ExpandedEntries {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  return useMemo(
    () => ({
      ids,
      toggle: (id) =>
        setIds((before) =>
          before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id]),
        ),
    }),
    [ids],
  );
}
