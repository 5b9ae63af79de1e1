/** Downloads a list as CSV from the API, with the filters of the page and the columns that the table shows. */
import type { OperationName } from '@milepost/api';
import { useMutation } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import type { QueryOf } from '../api/operation-query.ts';
import { announceDone, announceProblem } from '../ui/announcements.tsx';
import { saveFile } from '../ui/save-file.ts';
import type { Column } from './column.ts';

interface Export<N extends OperationName> {
  /** The name of the file, without `.csv`. */
  file: string;
  operation: N;
  params?: Record<string, number>;
  query: QueryOf<N>;
  columns: readonly string[];
}

/** The columns of the API that these columns show. */
export const csvColumnsOf = <Row>(columns: readonly Column<Row>[]): string[] =>
  columns.flatMap(({ csv = [] }) => [...csv]);

export function useCsv<N extends OperationName>({ file, operation, params, query, columns }: Export<N>) {
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      client.csv(operation, { ...(params && { params }), query: { ...query, columns: columns.join(',') } }),
    onSuccess: (rows) => {
      // Spreadsheets need the byte order mark to read UTF-8.
      saveFile(`${file}.csv`, ['\uFEFF', rows], 'text/csv');
      announceDone(`Exported ${file}.csv.`);
    },
    onError: announceProblem,
  });
  return { download: () => mutate(), isPending };
}
