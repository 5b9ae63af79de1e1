/** What a page of found experiments requests, and which events change it. */
import type { BodyOf, Touches } from '../../api/operation-query.ts';
import { changesParentOrLabel, type LiveEvent } from '../../live/live-event.ts';
import { foundFields, variablePrefix } from './found-fields.ts';

export interface FoundOptions {
  /** Leaves out the numbers in each state, for which the server reads many experiments. */
  withoutCounts?: boolean;
  /** Whether an event about an experiment can add it to the first page. Without it, any event can. */
  concerns?: (event: LiveEvent) => boolean;
}

export const columnsFor = (columns: readonly string[]): string => {
  const variables = columns.filter((id) => id.startsWith(variablePrefix) && !id.includes(','));
  return [...foundFields, ...variables.map((id) => `variables.${id.slice(variablePrefix.length)}`)].join(',');
};

const nested = (paths: readonly string[]): string =>
  [...Map.groupBy(paths, (path) => path.split('.')[0] ?? '')]
    .map(
      ([name, all]) => [name, all.filter((path) => path !== name).map((path) => path.slice(name.length + 1))] as const,
    )
    .map(([name, inner]) => (inner.length === 0 ? name : `${name}{${nested(inner)}}`))
    .join(',');

/** The fields of a page without counts. It has no variables, and no `columns`, because they would replace the mask. */
export const fieldsWithoutCounts = `experiments{${nested(foundFields)}},next`;

/** Pages after the first one change only with the experiments that they show. */
export const touchesPage =
  (isFirst: boolean, concerns: (event: LiveEvent) => boolean = () => true): Touches =>
  (event, data) => {
    if (event.experiment_id === null) return changesParentOrLabel(event) && 'later';
    const page = data as Pick<BodyOf<'searchExperiments'>, 'experiments'> | undefined;
    const isShown = page?.experiments.some(({ id }) => id === event.experiment_id) !== false;
    return (isFirst && concerns(event)) || isShown ? 'later' : false;
  };

/** Whether an event is about this workflow and cohort, as far as it names them. */
export const isAbout =
  (workflowId: number, cohortId: number | undefined) =>
  ({ workflow_id: workflow, cohort_id: cohort }: Pick<LiveEvent, 'workflow_id' | 'cohort_id'>): boolean =>
    (workflow === null || workflow === workflowId) &&
    (cohort === null || cohortId === undefined || cohort === cohortId);
