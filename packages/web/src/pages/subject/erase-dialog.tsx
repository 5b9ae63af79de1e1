/** Two steps: asking for it, and typing the label to confirm. Nothing is destroyed before the second. */
import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { announceDone } from '../../shown/announcements.tsx';
import { DialogForm, FormDialog } from '../../shown/form-dialog.tsx';
import { ReasonField } from '../../shown/reason-field.tsx';

interface Props {
  subject: { id: number; label: string };
  onClose: () => void;
}

export function EraseDialog({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <FormDialog opened={opened} onClose={props.onClose}>
      <Steps {...props} />
    </FormDialog>
  );
}

function Steps({ subject, onClose }: Props) {
  const [erasureId, setErasureId] = useState<number>();
  // As it was when the dialog opened: the erasure changes it.
  const [seen] = useState(subject);
  return erasureId === undefined ? (
    <Ask subject={seen} onClose={onClose} onAsked={setErasureId} />
  ) : (
    <Confirm subject={seen} onClose={onClose} erasureId={erasureId} />
  );
}

function Ask({ subject: { id, label }, onClose, onAsked }: Props & { onAsked: (erasureId: number) => void }) {
  const [reason, setReason] = useState('');
  const ask = useMutation({
    mutationFn: () => client.requestErasure({ params: { id }, body: { reason: reason.trim() } }),
    onSuccess: (erasure) => onAsked(erasure.id),
  });
  return (
    <DialogForm
      title="Erase"
      action="Ask for erasure"
      sending={ask}
      mayNot={reason.trim() === ''}
      onSubmit={() => ask.mutate()}
      onClose={onClose}
    >
      <p>
        Everything that says something of <bdi>{label}</bdi> would be destroyed for good: names, dates, notes, logs,
        values, ids elsewhere, and what the history holds of them. Nothing happens before you confirm it in the next
        step.
      </p>
      <ReasonField value={reason} onChange={setReason} placeholder="Destroyed with the rest" required />
    </DialogForm>
  );
}

function Confirm({ subject: { id, label }, erasureId, onClose }: Props & { erasureId: number }) {
  const [typed, setTyped] = useState('');
  const erase = useMutation({
    mutationFn: () => client.eraseSubject({ params: { id }, body: { erasure_id: erasureId, label: typed } }),
    onSuccess: ({ entry }) => {
      announceDone(`Erased. Entry ${entry?.sequence} of the history of subject ${id} says so.`);
      onClose();
    },
  });
  return (
    <DialogForm
      title="Erase for good"
      action="Erase"
      sending={erase}
      mayNot={typed !== label}
      onSubmit={() => erase.mutate()}
      onClose={onClose}
    >
      <p>
        It is asked for. To confirm, type the label of the subject: <bdi>{label}</bdi>
      </p>
      <TextInput
        label="Label"
        data-autofocus
        autoComplete="off"
        dir="auto"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </DialogForm>
  );
}
