import { Button } from '@mantine/core';
import { ChoiceFilter } from '../../filters/choice-filter.tsx';
import { CohortFilter, StateFilter, WorkflowFilter } from '../../filters/study-filters.tsx';
import { TextFilter } from '../../filters/text-filter.tsx';
import { useFilters } from '../../filters/use-filters.ts';
import { incidents, statuses } from './use-row-filters.ts';
import styles from './experiment.module.css';

export function ExperimentFilters() {
  const { isAny, clear } = useFilters();
  return (
    <search className={styles['filters']} aria-label="Filters">
      <TextFilter name="label" label="Label starts with" />
      <WorkflowFilter />
      <StateFilter />
      <CohortFilter />
      <ChoiceFilter name="incident" label="Incident" all="Any incident" choices={incidents} />
      <ChoiceFilter name="status" label="Callback status" all="Any callback status" choices={statuses} />
      {isAny ? (
        <Button variant="subtle" onClick={clear}>
          Clear filters
        </Button>
      ) : null}
    </search>
  );
}
