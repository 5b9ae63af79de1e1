import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { announceDone } from '../../ui/announcements.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { ReasonField } from '../../ui/reason-field.tsx';
import { localDay } from '../../ui/times.ts';

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
      disabled={reason.trim() === '' || date === ''}
      onSubmit={() => withdraw.mutate()}
      onClose={onClose}
    >
      <p>
        Withdrawing <bdi>{label}</bdi> ends all its active runs, and its experiments no longer move. The data is kept.
        You cannot undo a withdrawal.
      </p>
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
