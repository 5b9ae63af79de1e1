/** Deactivates an account after confirmation, or activates it at once. */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { usePermission, useSession } from '../../session/session-context.ts';
import { announceDone, announceProblem } from '../../ui/announcements.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { displayName } from './user-data.ts';

interface Props {
  user: { id: number; name: string; username: string; active: boolean };
}

export function ActiveSwitch({ user }: Props) {
  const mayDeactivate = usePermission('user_delete');
  const mayActivate = usePermission('user_update_all');
  const isSelf = useSession().user.id === user.id;
  if (!user.active) return mayActivate ? <Activate user={user} /> : null;
  return mayDeactivate && !isSelf ? <Deactivate user={user} /> : null;
}

function Activate({ user }: Props) {
  const activate = useMutation({
    mutationFn: () => client.updateUser({ params: { id: user.id }, body: { active: true } }),
    onSuccess: () => announceDone(`Activated ${displayName(user)}.`),
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
      announceDone(`Deactivated ${displayName(user)}.`);
      onClose();
    },
  });
  return (
    <DialogForm
      title="Deactivate user"
      action="Deactivate"
      sending={deactivate}
      onSubmit={() => deactivate.mutate()}
      onClose={onClose}
    >
      <p>
        <bdi>{displayName(user)}</bdi> is signed out everywhere and can no longer sign in. Their changes stay in the
        history under their name. You can activate the account again, but its API tokens are revoked permanently.
      </p>
    </DialogForm>
  );
}
