import { useMutation } from '@tanstack/react-query';
import { announceDone, announceProblem } from '../shown/announcements.tsx';
import { countOf } from '../shown/numbers.ts';
import type { Column } from './column.ts';
import { csvOf, downloadCsv } from './csv.ts';

/** The table as a file: the columns that are shown, and every row that matches what is shown. */
export function useCsv<Row>(name: string, columns: readonly Column<Row>[], everyRow: () => Promise<readonly Row[]>) {
  const { mutate, isPending } = useMutation({
    mutationFn: everyRow,
    onSuccess: (rows) => {
      downloadCsv(name, csvOf(columns, rows));
      announceDone(`${countOf(rows.length, 'row')} exported.`);
    },
    onError: announceProblem,
  });
  return { download: () => mutate(), isPending };
}
