import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { client } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { announceDone } from '../../ui/announcements.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { CopyRequest } from '../experiments/copy-request.tsx';
import type { Execution } from './use-execution.ts';
import styles from './execution.module.css';

/** Retries the run and opens the new one. An error stays visible until the next retry. */
export function RetryRun({ execution: { id, api_uri, callback } }: { execution: Execution }) {
  const navigate = useNavigate();
  const retry = useMutation({
    mutationFn: () => client.retryCallbackExecution({ params: { id }, body: {} }),
    onSuccess: ({ executions: [first] }) => {
      announceDone(`Retrying ${callback.label}.`);
      if (first) void navigate(paths.execution(first.id));
    },
  });
  return (
    <>
      <div className={styles['buttons']}>
        <CopyRequest what="Retry" request={{ method: 'POST', url: `${api_uri}/retry`, body: {} }} />
        <Button variant="filled" loading={retry.isPending} onClick={() => retry.mutate()}>
          Retry
        </Button>
      </div>
      {retry.error ? (
        <div className={styles['refused']}>
          <ProblemNote error={retry.error} />
        </div>
      ) : null}
    </>
  );
}
