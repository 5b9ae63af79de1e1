/** Downloads the lines that were not imported as they were uploaded, so that users can fix and import them. */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { announceDone, announceProblem } from '../../ui/announcements.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { csvText } from './csv-text.ts';
import type { Import } from './import-words.ts';

const pageSize = 1000;

async function faultyLines({ id, columns }: Import): Promise<string[][]> {
  const found = [columns.map(({ header }) => header)];
  for (let after: number | undefined; ;) {
    const query = { result: 'faulty' as const, limit: pageSize, ...(after === undefined ? {} : { after }) };
    const { lines } = await client.listImportLines({ params: { id }, query });
    found.push(...lines.map(({ values }) => values));
    // A page of long lines has fewer than `pageSize`, and is not the last one.
    after = lines.at(-1)?.line;
    if (after === undefined) return found;
  }
}

export function FaultyLinesButton({ of }: { of: Import }) {
  const name = `${of.file_name.replace(/\.\w+$/, '')}-faulty-lines.csv`;
  const { mutate, isPending } = useMutation({
    mutationFn: () => faultyLines(of),
    onSuccess: (lines) => {
      saveFile(name, [csvText(lines, of.delimiter)], 'text/csv');
      announceDone(`Exported ${name}.`);
    },
    onError: announceProblem,
  });
  return (
    <Button loading={isPending} onClick={() => mutate()}>
      Download the faulty lines as CSV
    </Button>
  );
}
