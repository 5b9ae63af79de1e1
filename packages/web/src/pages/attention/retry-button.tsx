import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { client } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../session/session-context.ts';
import { announceDone, announceProblem } from '../../shown/announcements.tsx';
import type { AttentionItem } from './attention-kinds.ts';

/** Runs again what failed; of a wait or a block, which no retry would end, it leads to the experiment. */
export function RetryButton({ item }: { item: AttentionItem }) {
  const mayRetry = useMay('sample_state_update');
  const { kind, execution_id, experiment } = item;
  const canRetry = mayRetry && execution_id !== null && (kind === 'failed' || kind === 'timed_out');
  if (canRetry) return <Retry executionId={execution_id} label={experiment.label} />;
  return (
    <Button
      component={Link}
      variant="subtle"
      to={paths.experiment(experiment.id)}
      aria-label={`Open ${experiment.label}`}
    >
      {kind === 'blocked' ? 'Why?' : 'Open'}
    </Button>
  );
}

/** What follows from it arrives as an event, and so does what somebody else did meanwhile. */
function Retry({ executionId, label }: { executionId: number; label: string }) {
  const retry = useMutation({
    mutationFn: () => client.retryCallbackExecution({ params: { id: executionId }, body: {} }),
    onSuccess: () => announceDone(`${label} runs again.`),
    onError: announceProblem,
  });
  const isDone = retry.isPending || retry.isSuccess;
  return (
    <Button variant="subtle" loading={isDone} onClick={() => retry.mutate()} aria-label={`Retry ${label}`}>
      Retry
    </Button>
  );
}
