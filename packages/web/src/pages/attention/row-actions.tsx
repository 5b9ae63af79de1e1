import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { useCohortPermission } from '../../session/session-context.ts';
import { announceDone, announceProblem } from '../../ui/announcements.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { AttentionRow } from './attention-rows.ts';
import { RetryButton } from './retry-button.tsx';
import { useRowDialog } from './row-dialogs.tsx';
import styles from './attention.module.css';

/** The next step for a row, and a way to put it aside. A group and a queue are about many experiments. */
export function RowActions({ item }: { item: AttentionRow }) {
  const isOne = item.queue === null && !item.group;
  return (
    <span className={styles['actions']}>
      {item.kind === 'decide' ? <DecideButton item={item} /> : <RetryButton item={item} />}
      {isOne ? <SnoozeButton item={item} /> : null}
    </span>
  );
}

function DecideButton({ item }: { item: AttentionRow }) {
  const open = useRowDialog();
  return (
    <Button aria-label={`Decide about ${item.experiment.label}`} onClick={() => open({ dialog: 'decide', item })}>
      Decide
    </Button>
  );
}

function SnoozeButton({ item }: { item: AttentionRow }) {
  const open = useRowDialog();
  const maySnooze = useCohortPermission(item.cohort, 'sample_update');
  const { id, label } = item.experiment;
  const wake = useMutation({
    mutationFn: () => client.snoozeExperiment({ params: { id }, body: { until: null } }),
    onSuccess: () => announceDone(`${label} is back in the list.`),
    onError: announceProblem,
  });
  if (!maySnooze) return null;
  return item.snooze ? (
    <Button variant="subtle" loading={wake.isPending} onClick={() => wake.mutate()}>
      End snooze
    </Button>
  ) : (
    <Button
      variant="subtle"
      className={styles['snooze'] ?? ''}
      aria-label={`Snooze ${label}`}
      title="Snooze"
      onClick={() => open({ dialog: 'snooze', item })}
    >
      <Icon name="timed_out" size={16} />
    </Button>
  );
}
