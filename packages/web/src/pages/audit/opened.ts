import { createContext, use, useMemo, useState } from 'react';

interface Opened {
  ids: ReadonlySet<number>;
  toggle: (id: number) => void;
}

/** Which entries are open. Rows come and go while one scrolls: what was opened stays so. */
export const OpenedContext = createContext<Opened>({ ids: new Set(), toggle: () => undefined });

export const useOpened = () => use(OpenedContext);

export function useOpenedState(): Opened {
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
