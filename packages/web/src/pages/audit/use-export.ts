/** Downloads exactly the entries that the filters of the page select. */
import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { announceDone, announceProblem } from '../../ui/announcements.tsx';
import { saveFile } from '../../ui/save-file.ts';
import type { Filters } from './use-audit.ts';

const columns = [
  'id',
  'at',
  'actor.kind',
  'actor.name',
  'actor.is_service_account',
  'kind',
  'operation',
  'object.kind',
  'object.id',
  'object.label',
  'before',
  'after',
  'reason',
  'erased',
  'request_id',
  'hash',
];

type Format = 'csv' | 'ndjson';

async function download(format: Format, filters: Filters): Promise<void> {
  if (format === 'csv') {
    const rows = await client.csv('listAudit', { query: { ...filters, columns: columns.join(',') } });
    // Spreadsheets need the byte order mark to read UTF-8.
    return saveFile('audit.csv', ['\uFEFF', rows], 'text/csv');
  }
  return saveFile('audit.ndjson', [await client.rows('listAudit', { query: filters })], 'application/x-ndjson');
}

export function useExport(filters: Filters) {
  const { mutate, isPending } = useMutation({
    mutationFn: (format: Format) => download(format, filters),
    onSuccess: (_nothing, format) => announceDone(`Exported audit.${format}.`),
    onError: announceProblem,
  });
  return { csv: () => mutate('csv'), ndjson: () => mutate('ndjson'), isPending };
}
