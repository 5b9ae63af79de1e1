/** Saves the matrix as CSV, with the filters of the page. */
import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { announceDone, announceProblem } from '../../ui/announcements.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { csvHead, csvRow, type LookOf } from './matrix-csv.ts';
import type { CohortHead, CohortSummary, MatrixFilter, MatrixSubject } from './use-cohort.ts';

const pageSize = 500;

async function readRows(
  id: number,
  filter: MatrixFilter,
  rowOf: (subject: MatrixSubject) => string,
): Promise<string[]> {
  const rows: string[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: { subjects: MatrixSubject[]; next: number | null } = await client.getCohortMatrix({
      params: { id },
      query: { ...filter, limit: pageSize, after },
    });
    rows.push(...page.subjects.map(rowOf));
    after = page.next;
  }
  return rows;
}

interface Export {
  cohort: CohortHead;
  summary: CohortSummary;
  filter: MatrixFilter;
  lookOf: LookOf;
}

export const useMatrixCsv = () =>
  useMutation({
    mutationFn: async ({ cohort, summary, filter, lookOf }: Export) => {
      const visits = summary.visits.map(({ visit }) => visit);
      const rows = await readRows(cohort.id, filter, (subject) => csvRow(subject, visits, lookOf));
      // Spreadsheets need the byte order mark to read UTF-8.
      saveFile(`${cohort.label}.csv`, ['\uFEFF', csvHead(visits), ...rows], 'text/csv');
      announceDone(`Exported ${cohort.label}.csv.`);
    },
    onError: announceProblem,
  });
