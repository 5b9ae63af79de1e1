/** Another name or e-mail, and for somebody else another password: the own one has a form of its own. */
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { useSession } from '../session/session-context.ts';
import { sessionQuery } from '../session/session-query.ts';
import { announceDone } from '../shown/announcements.tsx';
import { DialogForm, FormDialog } from '../shown/form-dialog.tsx';
import { called } from './called.ts';
import { changesOf, type Person } from './changes-of.ts';
import { OwnPassword } from './own-password.tsx';
import { EmailInput, NameInput, PasswordForThem } from './person-inputs.tsx';
import { useTexts } from './use-texts.ts';

interface Props {
  user: Person & { id: number; username: string };
}

export function ChangeUser({ user }: Props) {
  const [opened, setOpened] = useState(false);
  const onClose = () => setOpened(false);
  return (
    <>
      <Button onClick={() => setOpened(true)}>Change…</Button>
      <FormDialog opened={opened} onClose={onClose}>
        <ChangeUserForm user={user} onClose={onClose} />
      </FormDialog>
    </>
  );
}

type Changes = ReturnType<typeof changesOf> & { current_password?: string };

function useChange({ user, onClose }: Props & { onClose: () => void }) {
  const queryClient = useQueryClient();
  const isOneself = useSession().user.id === user.id;
  return useMutation({
    mutationFn: (body: Changes) => client.updateUser({ params: { id: user.id }, body }),
    onSuccess: async (changed) => {
      if (isOneself) await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      announceDone(isOneself ? 'Your account is changed.' : `The account of ${called(changed)} is changed.`);
      onClose();
    },
  });
}

function ChangeUserForm({ user, onClose }: Props & { onClose: () => void }) {
  // What somebody else changes meanwhile is not changed back.
  const [first] = useState({ name: user.name, email: user.email, password: '' });
  const { texts, field } = useTexts(first);
  const [current, setCurrent] = useState('');
  const session = useSession();
  const change = useChange({ user, onClose });
  const isOneself = session.user.id === user.id;
  const changes = changesOf(first, texts);
  const needsProof = isOneself && changes.email !== undefined;
  return (
    <DialogForm
      title={isOneself ? 'Change your account' : 'Change the account'}
      action="Save"
      sending={change}
      mayNot={Object.keys(changes).length === 0}
      onSubmit={() => change.mutate({ ...changes, ...(needsProof && { current_password: current }) })}
      onClose={onClose}
    >
      <NameInput {...field('name')} />
      {/* Who has no password cannot prove that it is them who change it. */}
      {isOneself && !session.has_password ? null : <EmailInput {...field('email')} />}
      {needsProof ? <OwnPassword value={current} onChange={setCurrent} /> : null}
      {isOneself ? null : <PasswordForThem label="New password" description={aboutPassword} {...field('password')} />}
    </DialogForm>
  );
}

const aboutPassword =
  'Leave it empty, and they keep theirs. A new one has at least 12 characters and signs them out everywhere: tell it to them.';
