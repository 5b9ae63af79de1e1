import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery, type BodyOf, type Touches } from '../../api/operation-query.ts';

export type Overview = BodyOf<'getExperimentOverview'>;
export type Way = Overview['transitions'][number];

/** What its page shows also changes with its subject, its cohort, its workflow, and with other systems. */
const touchesOverview =
  (id: number): Touches =>
  ({ experiment_id, object_kind, object_id, data }, shown) =>
    experiment_id === id ||
    (object_kind === 'note' && data['experiment_id'] === id) ||
    object_kind === 'external_system' ||
    isAround(shown as Overview | undefined, object_kind, object_id);

const isAround = (shown: Overview | undefined, kind: string, id: number): boolean =>
  (kind === 'subject' || kind === 'cohort' || kind === 'workflow') && shown?.[kind].id === id;

export const overviewQuery = (id: number) =>
  operationQuery('getExperimentOverview', { params: { id } }, touchesOverview(id));

const pageSize = 50;

/** Only the newest page changes with what happens; runs of earlier actions can only end. */
const timelineQuery = (id: number, before: number | undefined) =>
  operationQuery(
    'getExperimentTimeline',
    { params: { id }, query: { limit: pageSize, ...(before === undefined ? {} : { before }) } },
    ({ experiment_id }) => experiment_id === id,
  );

export const useOverview = (id: number) => useQuery(overviewQuery(id));

/** The newest first, and older ones as one asks for them. Their sequence goes down to 1. */
export function useTimeline(id: number) {
  const [cursors, setCursors] = useState<readonly number[]>([]);
  const pages = useQueries({
    queries: [undefined, ...cursors].map((before) => ({
      ...timelineQuery(id, before),
      placeholderData: keepPreviousData,
    })),
  });
  const all = pages.flatMap(({ data }) => data?.actions ?? []);
  const actions = [...new Map(all.map((action) => [action.id, action])).values()];
  const last = actions.at(-1)?.sequence ?? 1;
  return {
    first: pages[0] ?? unreachable(),
    actions,
    isLoadingOlder: cursors.length > 0 && pages.at(-1)?.isPending === true,
    showOlder: last > 1 ? () => setCursors([...cursors, last]) : undefined,
  };
}

function unreachable(): never {
  throw new Error('There always is a first page');
}
