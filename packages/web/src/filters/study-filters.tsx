/** Filters by cohort, workflow and state. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../api/operation-query.ts';
import { graphQuery, workflowsQuery } from '../pages/workflows/use-workflow.ts';
import { ChoiceFilter, useNeeded } from './choice-filter.tsx';
import { useFilters } from './use-filters.ts';

const choicesOf = (refs: readonly { id: number; label: string }[] = []) =>
  refs.map(({ id, label }) => ({ value: String(id), label }));

const cohortsQuery = operationQuery('listCohorts', {}, ({ object_kind }) => object_kind === 'cohort');

export function CohortFilter() {
  const { needed, onOpen } = useNeeded('cohort');
  const { data } = useQuery({ ...cohortsQuery, enabled: needed });
  return (
    <ChoiceFilter name="cohort" label="Cohort" all="All cohorts" choices={choicesOf(data?.cohorts)} onOpen={onOpen} />
  );
}

export function WorkflowFilter() {
  const { needed, onOpen } = useNeeded('workflow');
  const { data } = useQuery({ ...workflowsQuery, enabled: needed });
  return (
    <ChoiceFilter
      name="workflow"
      label="Workflow"
      all="All workflows"
      choices={choicesOf(data?.workflows)}
      onOpen={onOpen}
      clears={['state']}
    />
  );
}

/** The states of the chosen workflow, or of the only workflow. */
export function StateFilter() {
  const { needed, onOpen } = useNeeded('state');
  const chosen = useFilters().numberOf('workflow');
  const { data: all } = useQuery({ ...workflowsQuery, enabled: needed && chosen === undefined });
  const only = all?.workflows.length === 1 ? all.workflows[0]?.id : undefined;
  const workflowId = chosen ?? only;
  const { data } = useQuery({ ...graphQuery(workflowId ?? 0), enabled: needed && workflowId !== undefined });
  const unclear = all !== undefined && chosen === undefined && only === undefined;
  return (
    <ChoiceFilter
      name="state"
      label="State"
      all={unclear ? 'Choose a workflow first' : 'All states'}
      choices={choicesOf(data?.states.map(({ id, title }) => ({ id, label: title })))}
      onOpen={onOpen}
    />
  );
}
