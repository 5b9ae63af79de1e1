import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { client } from '../../api/client.ts';
import { announceDone, announceProblem } from '../../shown/announcements.tsx';
import { paths } from '../../paths.ts';
import type { Execution } from './use-execution.ts';

/** Runs it again and goes to the new run, whose log one wants to see. */
export function RetryRun({ execution: { id, callback } }: { execution: Execution }) {
  const navigate = useNavigate();
  const retry = useMutation({
    mutationFn: () => client.retryCallbackExecution({ params: { id }, body: {} }),
    onSuccess: ({ executions: [first] }) => {
      announceDone(`${callback.label} runs again.`);
      if (first) void navigate(paths.execution(first.id));
    },
    onError: announceProblem,
  });
  return (
    <Button variant="filled" loading={retry.isPending} onClick={() => retry.mutate()}>
      Retry
    </Button>
  );
}
