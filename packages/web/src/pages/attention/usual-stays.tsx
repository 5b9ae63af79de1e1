/** The usual stays of the states on the page, for its rows. */
import { useQueries } from '@tanstack/react-query';
import { createContext, useContext, type ReactNode } from 'react';
import { noEvents, operationQuery, type BodyOf } from '../../api/operation-query.ts';
import { tooltip } from '../../ui/tooltip.tsx';
import { stayText } from '../workflows/time-in-state-rows.ts';
import type { AttentionRow } from './attention-rows.ts';
import { mediansOf, usualStay, workflowsIn } from './usual-stay.ts';
import styles from './attention.module.css';

const weeks = 12;
const none: ReadonlyMap<number, number> = new Map();
const Medians = createContext(none);

/** A single move hardly changes a median, so events do not refetch it. Without medians, the page is complete. */
const staysQuery = (workflowId: number) => ({
  ...operationQuery(
    'listInsightStays',
    { query: { workflow_id: workflowId, weeks }, fields: 'stays{state,median_seconds}' },
    noEvents,
  ),
  staleTime: 600_000,
  retry: false,
});

/** The same function each time, so that it runs only for new data. */
const allMedians = (results: readonly { data: BodyOf<'listInsightStays'> | undefined }[]) =>
  mediansOf(results.flatMap(({ data }) => data?.stays ?? []));

export function UsualStays({ rows, children }: { rows: readonly AttentionRow[]; children: ReactNode }) {
  const medians = useQueries({
    queries: workflowsIn(rows).map(staysQuery),
    combine: allMedians,
  });
  return <Medians value={medians}>{children}</Medians>;
}

/** `usually 1 d 6 h`. */
export function UsualStay({ item }: { item: AttentionRow }) {
  const usual = usualStay(item, useContext(Medians));
  return usual === undefined ? null : (
    <div className={styles['usual']} {...tooltip(`Median time in this state over ${weeks} weeks`)}>
      usually {stayText(usual)}
    </div>
  );
}
