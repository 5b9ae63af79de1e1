import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { announceDone } from '../../shown/announcements.tsx';
import { DialogForm, FormDialog } from '../../shown/form-dialog.tsx';
import { ReasonField } from '../../shown/reason-field.tsx';
import { dayOf } from './day-of.ts';

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
  const [date, setDate] = useState(() => dayOf(new Date()));
  const withdraw = useMutation({
    mutationFn: () => client.withdrawSubject({ params: { id }, body: { reason: reason.trim(), date } }),
    onSuccess: () => {
      announceDone(`${label} has withdrawn.`);
      onClose();
    },
  });
  return (
    <DialogForm
      title="Withdraw"
      action="Withdraw"
      sending={withdraw}
      mayNot={reason.trim() === '' || date === ''}
      onSubmit={() => withdraw.mutate()}
      onClose={onClose}
    >
      <p>
        What runs or waits for <bdi>{label}</bdi> ends, and its experiments stay where they are. Its data stay, too.
        There is no way back.
      </p>
      <ReasonField
        value={reason}
        onChange={setReason}
        placeholder="Kept in the history, for whoever asks later"
        required
      />
      <TextInput
        type="date"
        label="Withdrawn on"
        required
        withAsterisk={false}
        max={dayOf(new Date())}
        value={date}
        onChange={({ currentTarget }) => setDate(currentTarget.value)}
      />
    </DialogForm>
  );
}
