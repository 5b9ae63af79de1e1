/** The filters of the matrix, and what its marks mean. */
import type { ReactNode } from 'react';
import { ChoiceFilter } from '../../filters/choice-filter.tsx';
import { TextFilter } from '../../filters/text-filter.tsx';
import { useFilters } from '../../filters/use-filters.ts';
import { useStateLooks } from '../../status/use-state-look.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { count } from '../../ui/numbers.ts';
import type { CohortSummary, MatrixFilter } from './use-cohort.ts';
import styles from './matrix.module.css';

export function useMatrixFilter(): MatrixFilter {
  const { textOf, numberOf } = useFilters();
  const label = textOf('subject');
  const state_id = numberOf('state');
  return {
    ...(label !== undefined && { label }),
    ...(state_id !== undefined && { state_id }),
    ...(textOf('gaps') !== undefined && { gaps: 'any' }),
    ...(textOf('attention') !== undefined && { attention: 'any' }),
  };
}

/** A filter that is on or off. */
function SwitchFilter({ name, children }: { name: string; children: ReactNode }) {
  const { textOf, set } = useFilters();
  return (
    <label className={styles['switch']}>
      <input
        type="checkbox"
        role="switch"
        checked={textOf(name) !== undefined}
        onChange={({ currentTarget }) => set({ [name]: currentTarget.checked ? 'any' : undefined })}
      />
      <span>{children}</span>
    </label>
  );
}

export function MatrixFilters({ summary }: { summary: CohortSummary | undefined }) {
  const lookOf = useStateLooks();
  const choices = (summary?.states ?? []).map(({ state, experiments }) => ({
    value: String(state.id),
    label: `${lookOf(state).title} (${count(experiments)})`,
  }));
  return (
    <search className={styles['filters']} aria-label="Filters">
      <TextFilter name="subject" label="Find a subject" />
      <ChoiceFilter name="state" label="State" all="Any state" choices={choices} />
      <SwitchFilter name="gaps">Only with gaps</SwitchFilter>
      <SwitchFilter name="attention">
        Only needing attention {summary ? <b>{count(summary.subjects_attention)}</b> : null}
      </SwitchFilter>
      <span className={styles['key']} aria-hidden="true">
        <Sign name="failed" word="Failed" />
        <Sign name="timed_out" word="Overdue" />
        <Sign name="decide" word="To decide" />
        <span>–&ensp;Missing</span>
      </span>
    </search>
  );
}

const Sign = ({ name, word }: { name: IconName; word: string }) => (
  <span data-mark={name}>
    <Icon name={name} size={13} /> {word}
  </span>
);
