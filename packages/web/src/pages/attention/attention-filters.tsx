/** Filters by cohort, assignee, and what is new. The tabs select the kind. */
import { Link, useSearchParams } from 'react-router';
import { ChoiceFilter } from '../../filters/choice-filter.tsx';
import { CohortFilter } from '../../filters/study-filters.tsx';
import { useFilters } from '../../filters/use-filters.ts';
import { cappedCount } from '../../ui/numbers.ts';
import { assignees, useDecisionFilter } from '../experiments/decision/use-decision-filter.ts';
import type { AttentionCounts } from './attention-kinds.ts';
import type { AttentionFilter } from './use-attention.ts';
import styles from './attention.module.css';

/** The filters of the URL, without the kind. Unknown values are ignored. */
export function useAttentionFilters(): Omit<AttentionFilter, 'kind' | 'causeGroup'> {
  const only = useFilters().textOf('only');
  return {
    ...useDecisionFilter(),
    only: only === 'new' || only === 'snoozed' ? only : undefined,
  };
}

/** The URL with other values for some parameters. */
export function useLinkTo(): (changes: Readonly<Record<string, string | undefined>>) => string {
  const [search] = useSearchParams();
  return (changes) => {
    const params = new URLSearchParams(search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) params.delete(name);
      else params.set(name, value);
    }
    return `?${params}`;
  };
}

export function AttentionFilters({ counts, only }: { counts: AttentionCounts | undefined; only: string | undefined }) {
  const linkTo = useLinkTo();
  const isNew = only === 'new';
  return (
    <div className={styles['filters']}>
      {counts === undefined || (counts.new === 0 && !isNew) ? null : (
        <Link
          to={linkTo({ only: isNew ? undefined : 'new' })}
          replace
          preventScrollReset
          aria-current={isNew ? 'true' : undefined}
          className={styles['onlyNew']}
        >
          Only new <b>{cappedCount(counts.new)}</b>
        </Link>
      )}
      <CohortFilter />
      <ChoiceFilter name="assignee" label="Assignee" all="Any assignee" choices={assignees} />
    </div>
  );
}
