import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { announceDone, announceProblem } from '../ui/announcements.tsx';

export function EndSnooze({ experiment: { id, label } }: { experiment: { id: number; label: string } }) {
  const end = useMutation({
    mutationFn: () => client.snoozeExperiment({ params: { id }, body: { until: null } }),
    onSuccess: () => announceDone(`${label} is no longer snoozed.`),
    onError: announceProblem,
  });
  return (
    <Button
      variant="subtle"
      loading={end.isPending}
      aria-label={`End the snooze of ${label}`}
      onClick={() => end.mutate()}
    >
      End snooze
    </Button>
  );
}
