import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery, type BodyOf, type Touches } from '../../api/operation-query.ts';
import { beforeOf, windowBefore, windowsBelow, windowSize } from './older-windows.ts';

export type Overview = BodyOf<'getExperimentOverview'>;
export type Transition = Overview['transitions'][number];

/** The page also shows the subject, cohort, workflow and external systems. */
const touchesOverview =
  (id: number): Touches =>
  ({ experiment_id, object_kind, object_id, data }, shown) =>
    experiment_id === id ||
    (object_kind === 'note' && data['experiment_id'] === id) ||
    object_kind === 'external_system' ||
    isParent(shown as Overview | undefined, object_kind, object_id);

const isParent = (shown: Overview | undefined, kind: string, id: number): boolean =>
  (kind === 'subject' || kind === 'cohort' || kind === 'workflow') && shown?.[kind].id === id;

export const overviewQuery = (id: number) =>
  operationQuery('getExperimentOverview', { params: { id } }, touchesOverview(id));

const timelineQuery = (id: number, before?: number) =>
  operationQuery(
    'getExperimentTimeline',
    { params: { id }, query: { limit: windowSize, ...(before === undefined ? {} : { before }) } },
    ({ experiment_id }) => experiment_id === id,
  );

export const useOverview = (id: number) => useQuery(overviewQuery(id));

/** The newest actions first; older ones are loaded on request. The oldest has the sequence 1. */
export function useTimeline(id: number) {
  const [lowest, setLowest] = useState<number>();
  const first = useQuery(timelineQuery(id));
  const newest = first.data?.actions ?? [];
  const windows = windowsBelow(newest.at(-1)?.sequence ?? 1, lowest);
  const older = useQueries({ queries: windows.map((window) => timelineQuery(id, beforeOf(window))) });
  const all = [...newest, ...older.flatMap(({ data }) => data?.actions ?? [])];
  const actions = [...new Map(all.map((action) => [action.id, action])).values()];
  const last = actions.at(-1)?.sequence ?? 1;
  return {
    first,
    actions,
    isLoadingOlder: older.some(({ isPending }) => isPending),
    showOlder: last > 1 ? () => setLowest(windowBefore(last)) : undefined,
  };
}
