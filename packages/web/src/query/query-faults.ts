/** What the server rejected in a query. */
import { ProblemError } from '@milepost/api';
import type { QueryFault } from './query-field.tsx';

/** The faults of these parameters. */
export function queryFaults(error: Error | null, parameters: readonly string[]): QueryFault[] {
  if (!(error instanceof ProblemError) || !error.problem) return [];
  return error.problem.errors
    .filter(({ pointer }) => parameters.includes(pointer))
    .map(({ detail, column }) => ({ detail, ...(column === undefined ? {} : { column }) }));
}
