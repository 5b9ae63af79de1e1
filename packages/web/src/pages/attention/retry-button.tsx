import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { client } from '../../api/client.ts';
import { experimentsWith } from '../../query/query-path.ts';
import { paths } from '../../paths.ts';
import { useCohortPermission } from '../../session/session-context.ts';
import { announceDone, announceProblem } from '../../ui/announcements.tsx';
import type { AttentionGroup } from './attention-kinds.ts';
import { sizeOf, type AttentionRow } from './attention-rows.ts';
import { useRowDialog } from './row-dialogs.tsx';

/** Retries failed callbacks. A retry would not help a waiting or blocked experiment, so the button opens it instead. */
export function RetryButton({ item }: { item: AttentionRow }) {
  const mayRetry = useCohortPermission(item.cohort, 'sample_state_update');
  const { kind, experiment, queue } = item;
  if (mayRetry && (kind === 'failed' || kind === 'timed_out'))
    return (
      <>
        <Retry {...experiment} text={item.group ? 'Retry one' : 'Retry'} />
        {item.group ? <RetryAll item={item} group={item.group} /> : null}
      </>
    );
  const [to, name] =
    queue === null
      ? [paths.experiment(experiment.id), experiment.label]
      : [experimentsWith({ run: 'queued' }), `the experiments in queue ${queue}`];
  return (
    <Button component={Link} variant="subtle" to={to} aria-label={`Open ${name}`}>
      Open
    </Button>
  );
}

/** The form asks for a reason. */
function RetryAll({ item, group }: { item: AttentionRow; group: AttentionGroup }) {
  const open = useRowDialog();
  return (
    <Button
      aria-label={`Retry all ${sizeOf(group)}: ${group.callback}`}
      onClick={() => open({ dialog: 'retryAll', item })}
    >
      Retry all
    </Button>
  );
}

/** Retries all failed callbacks: retrying only one of them would leave the experiment blocked. An event updates the row. */
function Retry({ id, label, text }: { id: number; label: string; text: string }) {
  const retry = useMutation({
    mutationFn: () => client.retryExperiment({ params: { id }, body: {} }),
    onSuccess: () => announceDone(`Retrying ${label}.`),
    onError: announceProblem,
  });
  const isRetrying = retry.isPending || retry.isSuccess;
  return (
    <Button loading={isRetrying} onClick={() => retry.mutate()} aria-label={`Retry ${label}`}>
      {text}
    </Button>
  );
}
