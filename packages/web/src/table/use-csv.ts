import { useMutation } from '@tanstack/react-query';
import { announceDone, announceProblem } from '../ui/announcements.tsx';
import { countOf } from '../ui/numbers.ts';
import type { Column } from './column.ts';
import { csvOf, downloadCsv } from './csv.ts';

/** Exports the visible columns and all matching rows as CSV. */
export function useCsv<Row>(name: string, columns: readonly Column<Row>[], everyRow: () => Promise<readonly Row[]>) {
  const { mutate, isPending } = useMutation({
    mutationFn: everyRow,
    onSuccess: (rows) => {
      downloadCsv(name, csvOf(columns, rows));
      announceDone(`Exported ${countOf(rows.length, 'row')}.`);
    },
    onError: announceProblem,
  });
  return { download: () => mutate(), isPending };
}
