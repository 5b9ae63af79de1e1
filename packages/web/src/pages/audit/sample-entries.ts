/** Entries as the server records them, for tests: at least one of every change. */
import { readFileSync } from 'node:fs';
import type { Entry, Name } from './use-audit.ts';

type Values = Record<string, unknown>;

export interface Sample {
  operation: string;
  kind: string;
  before?: Values | null;
  after?: Values | null;
  label?: string;
  erased?: boolean;
  by?: number;
  sentence: string;
}

/** One JSON value per line. */
const file = new URL('sample-entries.ndjson', import.meta.url);
export const samples = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Sample);

export function entryOf({ operation, kind, before, after, label, erased = false, by = 6 }: Sample): Entry {
  const chained = ['action', 'note', 'scan', 'callback_execution', 'experiment'].includes(kind);
  return {
    id: 1,
    sequence: 1,
    at: '2026-11-16T09:11:07.000Z',
    actor: { kind: 'user', id: by, name: 'Amina Haddad', is_service_account: false },
    kind: 'data',
    request_id: null,
    operation,
    object: { kind, id: 5, label: label ?? null, uri: null, web_uri: null },
    before: before ?? null,
    after: after ?? null,
    reason: '',
    hash: '',
    erased,
    chain: chained ? { kind: 'experiment', id: 112 } : { kind: 'users', id: null },
  };
}

const name = (kind: Name['kind'], id: number, label: string, more: Partial<Name> = {}): Name => ({
  kind,
  id,
  label,
  state: null,
  cohort_id: null,
  target: null,
  experiments: null,
  reason: '',
  ...more,
});

export const sampleNames: readonly Name[] = [
  name('transition', 9, 'visual_qc', { state: { id: 3, label: 'visual_qc' } }),
  name('user', 6, 'Amina Haddad'),
  name('cohort', 7, 'young-onset'),
  name('cohort', 8, 'healthy-ageing'),
  name('subject', 41, 'MC-0102'),
  name('subject', 42, 'MC-0103'),
  name('scantype', 3, 'T1w'),
  name('callback_execution', 5, 'deface'),
  name('bulk_operation', 7, 'move', { target: 'archiving', experiments: 28, reason: 'Detector updated' }),
  name('import', 12, 'visits-2026-11.csv', { cohort_id: 8, experiments: 46 }),
];
