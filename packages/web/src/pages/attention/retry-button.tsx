import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { client } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { useMayIn } from '../../session/session-context.ts';
import { announceDone, announceProblem } from '../../shown/announcements.tsx';
import type { AttentionItem } from './attention-kinds.ts';

/** Runs again what failed; of a wait or a block, which no retry would end, it leads to the experiment. */
export function RetryButton({ item }: { item: AttentionItem }) {
  const mayRetry = useMayIn(item.cohort, 'sample_state_update');
  const { kind, experiment } = item;
  if (mayRetry && (kind === 'failed' || kind === 'timed_out')) return <Retry {...experiment} />;
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

/**
 * All callbacks that failed: one of several alone would leave the experiment where it is. What follows from it arrives as an
 * event, and so does what somebody else did meanwhile.
 */
function Retry({ id, label }: { id: number; label: string }) {
  const retry = useMutation({
    mutationFn: () => client.retryExperiment({ params: { id }, body: {} }),
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
