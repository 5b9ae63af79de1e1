import { TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { announceDone } from '../../ui/announcements.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { ReasonField } from '../../ui/reason-field.tsx';
import { countOf } from '../../ui/numbers.ts';
import { localDay } from '../../ui/times.ts';
import { withdrawalQuery } from './withdrawal-query.ts';
import styles from './subject.module.css';

interface Props {
  subject: { id: number; label: string };
  opened: boolean;
  onClose: () => void;
}

export const WithdrawDialog = (props: Props) => (
  <FormDialog opened={props.opened} onClose={props.onClose}>
    <WithdrawForm {...props} />
  </FormDialog>
);

function WithdrawForm({ subject: { id, label }, onClose }: Props) {
  const [reason, setReason] = useState('');
  const [date, setDate] = useState(() => localDay(new Date()));
  const withdraw = useMutation({
    mutationFn: () => client.withdrawSubject({ params: { id }, body: { reason: reason.trim(), date } }),
    onSuccess: () => {
      announceDone(`Withdrew ${label}.`);
      onClose();
    },
  });
  return (
    <DialogForm
      title="Withdraw subject"
      action="Withdraw"
      sending={withdraw}
      missing={reason.trim() === '' ? 'Enter a reason.' : date === '' ? 'Enter a date.' : undefined}
      onSubmit={() => withdraw.mutate()}
      onClose={onClose}
    >
      <p>
        The experiments of <bdi>{label}</bdi> will no longer move, and they are no longer counted. The data is kept. You
        cannot undo a withdrawal.
      </p>
      <WhatEnds id={id} />
      <ReasonField value={reason} onChange={setReason} placeholder="Shown in the audit log" required />
      <TextInput
        type="date"
        label="Withdrawn on"
        required
        withAsterisk={false}
        max={localDay(new Date())}
        value={date}
        onChange={({ currentTarget }) => setDate(currentTarget.value)}
      />
    </DialogForm>
  );
}

/** What happens at once, so that nobody is surprised by a pipeline that stops. */
function WhatEnds({ id }: { id: number }) {
  const withdrawal = useQuery(withdrawalQuery(id));
  return (
    <QueryResult query={withdrawal} what="effects of the withdrawal">
      {({ moving, open_runs, runs }) => (
        <div>
          <p>{endsText(moving, open_runs)}</p>
          <ul className={styles['ends']}>
            {runs.map((run) => (
              <li key={run.id}>
                <bdi>{run.callback}</bdi> of <bdi>{run.experiment.label}</bdi>, {run.status}
              </li>
            ))}
            {open_runs > runs.length ? <li>and {open_runs - runs.length} more</li> : null}
          </ul>
        </div>
      )}
    </QueryResult>
  );
}

function endsText(moving: number, runs: number): string {
  const stops =
    moving === 0
      ? 'All its experiments are in final states.'
      : `${countOf(moving, 'experiment stops where it is', 'experiments stop where they are')}.`;
  return `${stops} ${runs === 0 ? 'No run is active.' : `${countOf(runs, 'run ends', 'runs end')}:`}`;
}
