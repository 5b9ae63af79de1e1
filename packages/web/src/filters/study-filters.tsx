/** A filter by cohort. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../api/operation-query.ts';
import { ChoiceFilter, useNeeded } from './choice-filter.tsx';

const choicesOf = (refs: readonly { id: number; label: string }[] = []) =>
  refs.map(({ id, label }) => ({ value: String(id), label }));

export const cohortsQuery = operationQuery('listCohorts', {}, ({ object_kind }) => object_kind === 'cohort');

export function CohortFilter() {
  const { needed, onOpen } = useNeeded('cohort');
  const { data } = useQuery({ ...cohortsQuery, enabled: needed });
  return (
    <ChoiceFilter name="cohort" label="Cohort" all="All cohorts" choices={choicesOf(data?.cohorts)} onOpen={onOpen} />
  );
}

/** Undefined until it is loaded. */
export function useCohortLabel(id: number | undefined): string | undefined {
  const { data } = useQuery({ ...cohortsQuery, enabled: id !== undefined });
  return data?.cohorts.find((cohort) => cohort.id === id)?.label;
}
