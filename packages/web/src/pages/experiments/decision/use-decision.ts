import { useQuery } from '@tanstack/react-query';
import { filterQuery, useDecisionFilter } from './use-decision-filter.ts';
import { operationQuery, type BodyOf, type Touches } from '../../../api/operation-query.ts';

export type ExperimentDecision = BodyOf<'getExperimentDecision'>;
export type Decision = NonNullable<ExperimentDecision['decision']>;
export type Field = Decision['fields'][number];
export type ShownValue = Decision['show'][number];

/** A change of any other experiment can change its place among the decisions, which a busy study does all the time. */
const touchesDecision =
  (id: number): Touches =>
  ({ experiment_id, object_kind }) => {
    if (experiment_id === id || object_kind === 'workflow') return true;
    return experiment_id !== null && 'later';
  };

export const useDecision = (id: number) => {
  const query = filterQuery(useDecisionFilter());
  return useQuery(operationQuery('getExperimentDecision', { params: { id }, query }, touchesDecision(id)));
};
