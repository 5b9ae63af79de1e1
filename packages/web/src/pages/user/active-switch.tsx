/** Whether somebody may sign in: taken away after a question, given back at once. */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { called } from '../../people/called.ts';
import { useMay, useSession } from '../../session/session-context.ts';
import { announceDone, announceProblem } from '../../shown/announcements.tsx';
import { DialogForm, FormDialog } from '../../shown/form-dialog.tsx';

interface Props {
  user: { id: number; name: string; username: string; active: boolean };
}

export function ActiveSwitch({ user }: Props) {
  const mayDeactivate = useMay('user_delete');
  const mayActivate = useMay('user_update_all');
  const isOneself = useSession().user.id === user.id;
  if (!user.active) return mayActivate ? <Activate user={user} /> : null;
  return mayDeactivate && !isOneself ? <Deactivate user={user} /> : null;
}

function Activate({ user }: Props) {
  const activate = useMutation({
    mutationFn: () => client.updateUser({ params: { id: user.id }, body: { active: true } }),
    onSuccess: () => announceDone(`${called(user)} may sign in again.`),
    onError: announceProblem,
  });
  return (
    <Button loading={activate.isPending} onClick={() => activate.mutate()}>
      Activate
    </Button>
  );
}

function Deactivate({ user }: Props) {
  const [opened, setOpened] = useState(false);
  const onClose = () => setOpened(false);
  return (
    <>
      <Button onClick={() => setOpened(true)}>Deactivate…</Button>
      <FormDialog opened={opened} onClose={onClose}>
        <DeactivateForm user={user} onClose={onClose} />
      </FormDialog>
    </>
  );
}

function DeactivateForm({ user, onClose }: Props & { onClose: () => void }) {
  const deactivate = useMutation({
    mutationFn: () => client.deleteUser({ params: { id: user.id } }),
    onSuccess: () => {
      announceDone(`${called(user)} is no longer active.`);
      onClose();
    },
  });
  return (
    <DialogForm
      title="Deactivate"
      action="Deactivate"
      sending={deactivate}
      onSubmit={() => deactivate.mutate()}
      onClose={onClose}
    >
      <p>
        <bdi>{called(user)}</bdi> can no longer sign in, from the next request on and everywhere. What they did stays on
        record under their name. An account can be made active again; its tokens end for good.
      </p>
    </DialogForm>
  );
}
