import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery, type BodyOf, type Touches } from '../../api/operation-query.ts';
import { lastSaid, type Said } from './last-said.ts';

/** Whole, an execution embeds its cohort with all subjects; this is what the page shows of it. */
const fields =
  '{id,api_uri,created,wait_start,run_start,finished,status,result,result_log,run_log,result_values,attempt,' +
  'next_attempt_at,last_error,action{id},cohort{id,label},subject{id,label},experiment{id,label,state},' +
  'callback{label,description,function,condition,callback_arguments,initial_delay,run_timeout,wait_timeout,state}}';

type Whole = BodyOf<'getCallbackExecution'>;
type Named = { id: number; label: string };

export type Execution = Omit<
  Whole,
  'uri' | 'web_uri' | 'external_systems' | 'action' | 'cohort' | 'subject' | 'experiment' | 'callback'
> & {
  action: { id: number };
  cohort: Named;
  subject: Named;
  experiment: Named & { state: Named };
  callback: Omit<Whole['callback'], 'uri' | 'executions'>;
};

/** What happens to its experiment concerns it, too: whether it can be run again depends on where that is. */
const touchesExecution: Touches = ({ experiment_id }, shown) =>
  experiment_id !== null && (shown as Execution | undefined)?.experiment.id === experiment_id;

export const useExecution = (id: number) =>
  useQuery<Execution>(operationQuery('getCallbackExecution', { params: { id }, fields }, touchesExecution));

export type Attempt = Omit<BodyOf<'listExecutionAttempts'>['attempts'][number], 'log' | 'heartbeat_at'>;

/** Without their logs, which stand in that of the execution. */
export const useAttempts = (id: number) =>
  useQuery<{ attempts: Attempt[] }>(
    operationQuery(
      'listExecutionAttempts',
      { params: { id }, fields: 'attempts{attempt,worker,started_at,ended_at,error}' },
      ({ object_kind, object_id }) => object_kind === 'callback_execution' && object_id === id,
    ),
  );

const everyMilliseconds = 2000;

/**
 * The log of the attempt that runs now: it joins that of the execution when the attempt ends. No event tells of new lines,
 * so it is asked for while it runs, and only while somebody looks.
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
    refetchInterval: everyMilliseconds,
  });
  const [before, setSaid] = useState<Said>();
  const said = lastSaid(before, run_log, isRunning ? data?.attempts[0] : undefined);
  if (said !== before) setSaid(said);
  return said?.log ?? '';
}
