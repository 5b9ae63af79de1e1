import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../api/operation-query.ts';
import { ChoiceFilter, useNeeded } from './choice-filter.tsx';

const cohortsQuery = operationQuery('listCohorts', {}, ({ object_kind }) => object_kind === 'cohort');

export function CohortFilter() {
  const { needed, onOpen } = useNeeded('cohort');
  const { data } = useQuery({ ...cohortsQuery, enabled: needed });
  const choices = (data?.cohorts ?? []).map(({ id, label }) => ({ value: String(id), label }));
  return <ChoiceFilter name="cohort" label="Cohort" all="All cohorts" choices={choices} onOpen={onOpen} />;
}
