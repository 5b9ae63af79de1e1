/** Erases a subject in two steps: a request, and a confirmation with the label. Only the second destroys data. */
import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { announceDone } from '../../ui/announcements.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { ReasonField } from '../../ui/reason-field.tsx';

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
  // A snapshot from when the dialog opened, because the erasure changes the label.
  const [snapshot] = useState(subject);
  return erasureId === undefined ? (
    <Request subject={snapshot} onClose={onClose} onRequested={setErasureId} />
  ) : (
    <Confirm subject={snapshot} onClose={onClose} erasureId={erasureId} />
  );
}

interface RequestProps extends Props {
  onRequested: (erasureId: number) => void;
}

function Request({ subject: { id, label }, onClose, onRequested }: RequestProps) {
  const [reason, setReason] = useState('');
  const request = useMutation({
    mutationFn: () => client.requestErasure({ params: { id }, body: { reason: reason.trim() } }),
    onSuccess: (erasure) => onRequested(erasure.id),
  });
  return (
    <DialogForm
      title="Erase subject"
      action="Request erasure"
      sending={request}
      missing={reason.trim() === '' ? 'Enter a reason.' : undefined}
      onSubmit={() => request.mutate()}
      onClose={onClose}
    >
      <p>
        Erasing permanently destroys the personal data of <bdi>{label}</bdi>: labels, dates, notes, logs, variables,
        external IDs and personal values in the history. Nothing is destroyed until you confirm in the next step.
      </p>
      <ReasonField value={reason} onChange={setReason} placeholder="Erased with the other data" required />
    </DialogForm>
  );
}

function Confirm({ subject: { id, label }, erasureId, onClose }: Props & { erasureId: number }) {
  const [typed, setTyped] = useState('');
  const erase = useMutation({
    mutationFn: () => client.eraseSubject({ params: { id }, body: { erasure_id: erasureId, label: typed } }),
    onSuccess: ({ entry }) => {
      announceDone(`Erased subject ${id}. Entry ${entry?.sequence} of its history records this.`);
      onClose();
    },
  });
  return (
    <DialogForm
      title="Erase permanently"
      action="Erase"
      sending={erase}
      missing={typed === label ? undefined : 'Type the label exactly as shown.'}
      onSubmit={() => erase.mutate()}
      onClose={onClose}
    >
      <p>
        Erasure requested. To confirm, type the label of the subject: <bdi>{label}</bdi>
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
