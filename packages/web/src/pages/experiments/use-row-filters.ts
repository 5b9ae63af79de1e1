/** The filters in the URL as API parameters. Leaves out values that the API would reject. */
import { useFilters } from '../../filters/use-filters.ts';
import type { RowFilters } from './experiment-rows.ts';

export const incidents = [
  { value: 'any', label: 'Has an incident' },
  { value: 'none', label: 'No incident' },
  { value: 'failed', label: 'Failed' },
  { value: 'timed_out', label: 'Timed out' },
  { value: 'no_way_on', label: 'No transition applies' },
  { value: 'brake', label: 'Stopped in a loop' },
] as const;

export const statuses = [
  { value: 'running', label: 'Running' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'queued', label: 'Queued' },
  { value: 'created', label: 'Delayed' },
] as const;

const known = <T extends string>(choices: readonly { value: T }[], text: string | undefined): T | undefined =>
  choices.find(({ value }) => value === text)?.value;

const withoutUnset = <T extends object>(filters: T) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined && value !== '')) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

export function useRowFilters(): RowFilters {
  const { textOf, numberOf } = useFilters();
  return withoutUnset({
    workflow_id: numberOf('workflow'),
    state_id: numberOf('state'),
    cohort_id: numberOf('cohort'),
    subject_id: numberOf('subject'),
    label: textOf('label')?.slice(0, 255),
    incident: known(incidents, textOf('incident')),
    status: known(statuses, textOf('status')),
  });
}
