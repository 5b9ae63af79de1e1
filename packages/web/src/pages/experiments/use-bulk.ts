/** The selected experiments, and the drawer for a bulk operation. */
import type { BulkKind } from '@milepost/api';
import { useState } from 'react';
import { chosenByQuery, chosenRows, type Chosen } from '../../bulk/chosen.ts';
import { useBulkKinds } from '../../bulk/use-bulk-kinds.ts';
import { useSelection } from '../../table/use-selection.ts';
import type { FoundExperiment } from './found-columns.tsx';
import type { useFound } from './use-found.ts';

/** The form for the selected experiments, or an operation that was started. */
type Opened = { kind: BulkKind; q: string } | { operationId: number };

function chosenOf(
  q: string,
  { first, rows }: ReturnType<typeof useFound>,
  { selection, isAny }: ReturnType<typeof useSelection<FoundExperiment>>,
): Chosen | undefined {
  if (!isAny) return undefined;
  if (!selection.all) return chosenRows([...selection.rows.values()]);
  return first.data && chosenByQuery(q, first.data, rows);
}

export function useBulk(q: string, found: ReturnType<typeof useFound>) {
  const kinds = useBulkKinds();
  const selecting = useSelection<FoundExperiment>(q, found.rows);
  const [opened, setOpened] = useState<Opened>();
  const chosen = chosenOf(q, found, selecting);
  return {
    kinds,
    selecting,
    chosen,
    /** The kind of the open form. Another query closes it. */
    kind: opened && 'kind' in opened && opened.q === q && chosen ? opened.kind : undefined,
    operationId: opened && 'operationId' in opened ? opened.operationId : undefined,
    open: (kind: BulkKind) => setOpened({ kind, q }),
    close: () => setOpened(undefined),
    clear: () => {
      selecting.clear();
      setOpened(undefined);
    },
    showProgress: (operationId: number) => {
      selecting.clear();
      setOpened({ operationId });
    },
  };
}
