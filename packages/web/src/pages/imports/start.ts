/** How an import starts: with a cohort of which a page knows, or like an earlier import whose file was fixed. */
import { encodings, type Encoding } from '@milepost/api';
import { useFilters } from '../../filters/use-filters.ts';
import { paths } from '../../paths.ts';
import { hasEnded, type Import } from './import-words.ts';

export interface Start {
  cohortId: number | undefined;
  encoding: Encoding;
  workflowId: number | undefined;
  /** The import of the file before it was fixed. */
  replaces: number | undefined;
}

export function useStart(): Start {
  const { numberOf, textOf } = useFilters();
  return {
    cohortId: numberOf('cohort'),
    encoding: encodings.find((one) => one === textOf('encoding')) ?? 'utf-8',
    workflowId: numberOf('workflow'),
    replaces: numberOf('replaces'),
  };
}

/** The path to an import of the same file after a change. */
export function pathOfNext(before: Pick<Import, 'id' | 'status' | 'cohort' | 'encoding' | 'workflow'>): string {
  const { id, cohort, encoding, workflow } = before;
  const query = new URLSearchParams({ cohort: String(cohort.id), encoding });
  if (workflow) query.set('workflow', String(workflow.id));
  if (!hasEnded(before)) query.set('replaces', String(id));
  return `${paths.newImport}?${query.toString()}`;
}
