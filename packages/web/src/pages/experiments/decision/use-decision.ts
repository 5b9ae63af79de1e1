import { useQuery } from '@tanstack/react-query';
import { operationQuery, type BodyOf } from '../../../api/operation-query.ts';

export type ExperimentDecision = BodyOf<'getExperimentDecision'>;
export type Decision = NonNullable<ExperimentDecision['decision']>;
export type Field = Decision['fields'][number];
export type ShownValue = Decision['show'][number];

/** A change of any experiment can change its place among the decisions. */
export const useDecision = (id: number) =>
  useQuery(
    operationQuery(
      'getExperimentDecision',
      { params: { id } },
      ({ experiment_id, object_kind }) => experiment_id !== null || object_kind === 'workflow',
    ),
  );
