import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery, type BodyOf, type Touches } from '../../api/operation-query.ts';
import { concernsShown } from '../../live/live-event.ts';
import { latestLog, type LatestLog } from './latest-log.ts';

/** A complete execution embeds its cohort with all subjects, so the page requests only these fields. */
const fields =
  '{id,api_uri,web_uri,created,wait_start,run_start,finished,status,result,result_log,run_log,result_values,attempt,' +
  'next_attempt_at,last_error,cause,action{id,end_time,return_value},cohort{id,label},external_systems,' +
  'subject{id,label,api_uri,web_uri,external_ids},' +
  'experiment{id,label,api_uri,web_uri,state,external_ids,variable_map},' +
  'callback{label,description,function,condition,callback_arguments,initial_delay,run_timeout,wait_timeout,' +
  'retry_for,retry_first,state}}';

type CompleteExecution = BodyOf<'getCallbackExecution'>;
type Named = { id: number; label: string };
type Linked = 'api_uri' | 'web_uri' | 'external_ids';

export type Execution = Omit<
  CompleteExecution,
  'uri' | 'action' | 'cohort' | 'subject' | 'experiment' | 'callback' | 'warnings'
> & {
  action: Pick<CompleteExecution['action'], 'id' | 'end_time' | 'return_value'>;
  cohort: Named;
  subject: Named & Pick<CompleteExecution['subject'], Linked>;
  experiment: Named & { state: Named } & Pick<CompleteExecution['experiment'], Linked | 'variable_map'>;
  callback: Omit<CompleteExecution['callback'], 'uri' | 'executions'>;
};

/** Events of the experiment matter too, because its state decides whether the run can be retried. */
const touchesExecution: Touches = (event, shown) => concernsShown(event, shown as Execution | undefined);

export const useExecution = (id: number) =>
  useQuery<Execution>(operationQuery('getCallbackExecution', { params: { id }, fields }, touchesExecution));

export type Attempt = Omit<BodyOf<'listExecutionAttempts'>['attempts'][number], 'log' | 'heartbeat_at'>;

/** Without their logs, which are part of the execution's log. */
export const useAttempts = (id: number) =>
  useQuery<{ attempts: Attempt[] }>(
    operationQuery(
      'listExecutionAttempts',
      { params: { id }, fields: 'attempts{attempt,worker,started_at,ended_at,error}' },
      ({ object_kind, object_id }) => object_kind === 'callback_execution' && object_id === id,
    ),
  );

const pollMilliseconds = 2000;

/**
 * The log of the running attempt, which becomes part of the execution's log when the attempt ends. New lines emit no
 * events, so it is polled, but only while the attempt runs and the page is visible.
 */
export function useRunningLog({ id, status, attempt, run_log }: Execution): string {
  const isRunning = status === 'running' && attempt > 0;
  const { data } = useQuery({
    ...operationQuery(
      'listExecutionAttempts',
      { params: { id }, query: { after: attempt - 1, limit: 1 } },
      () => false,
    ),
    enabled: isRunning,
    refetchInterval: pollMilliseconds,
  });
  const [previous, setLatest] = useState<LatestLog>();
  const latest = latestLog(previous, run_log, isRunning ? data?.attempts[0] : undefined);
  if (latest !== previous) setLatest(latest);
  return latest?.log ?? '';
}
