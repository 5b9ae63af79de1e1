/** The filters of the page: the workflow, a cohort, the period and a query. All are in the URL. */
import { Select } from '@mantine/core';
import { CohortFilter } from '../../filters/study-filters.tsx';
import { useFilters } from '../../filters/use-filters.ts';
import { QueryField, type QueryFault } from '../../query/query-field.tsx';
import { periods, type InsightFilter } from './use-insights.ts';
import styles from './insights.module.css';

interface Props {
  workflows: readonly { id: number; label: string }[];
  filter: InsightFilter;
  faults: readonly QueryFault[];
}

export function InsightFilters({ workflows, filter, faults }: Props) {
  const { set } = useFilters();
  return (
    <div className={styles['filters']}>
      <Choice
        label="Workflow"
        value={filter.workflow_id}
        choices={workflows.map(({ id, label }) => ({ value: String(id), label }))}
        onChange={(workflow) => set({ workflow })}
      />
      <CohortFilter />
      <Choice
        label="Period"
        value={filter.weeks ?? 0}
        choices={periods.map((weeks) => ({ value: String(weeks), label: `Last ${weeks} weeks` }))}
        onChange={(weeks) => set({ weeks })}
      />
      <div className={styles['query']}>
        <QueryField q={filter.q ?? ''} onChange={(q) => set({ q })} faults={faults} />
      </div>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: number;
  choices: { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** A filter that always has a value. */
const Choice = ({ label, value, choices, onChange }: ChoiceProps) => (
  <Select
    aria-label={label}
    data={choices}
    value={String(value)}
    onChange={(chosen) => chosen !== null && onChange(chosen)}
    allowDeselect={false}
    searchable={choices.length > 8}
    comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    className={styles['choice'] ?? ''}
  />
);
