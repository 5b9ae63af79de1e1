/**
 * Another name, username or e-mail, and for somebody else another password: the own one has a form of its own. Who else signs
 * in by it outlasts the session, so it takes one's own password.
 */
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { isFaulty } from '../api/is-faulty.ts';
import { useMay, useSession } from '../session/session-context.ts';
import { sessionQuery } from '../session/session-query.ts';
import { announceDone } from '../shown/announcements.tsx';
import { DialogForm, FormDialog } from '../shown/form-dialog.tsx';
import { called } from './called.ts';
import { changesOf, type Person } from './changes-of.ts';
import { OwnPassword } from './own-password.tsx';
import { EmailInput, NameInput, PasswordForThem, UsernameInput } from './person-inputs.tsx';
import { useTexts } from './use-texts.ts';

interface Props {
  user: Person & { id: number };
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
    onSuccess: async (changed, { password }) => {
      const shown = isOneself ? sessionQuery.queryKey : ['getUser'];
      await queryClient.invalidateQueries({ queryKey: shown });
      announceDone(doneWords(isOneself, called(changed), password !== undefined));
      onClose();
    },
    // Nothing keeps the passwords.
    gcTime: 0,
  });
}

function doneWords(isOneself: boolean, name: string, withPassword: boolean): string {
  if (isOneself) return 'Your account is changed.';
  const about = `The account of ${name} is changed.`;
  return withPassword ? `${about} They are signed out everywhere. Tokens go on: revoke those that should not.` : about;
}

function ChangeUserForm({ user, onClose }: Props & { onClose: () => void }) {
  // What somebody else changes meanwhile is not changed back.
  const [first] = useState({ name: user.name, username: user.username, email: user.email, password: '' });
  const { texts, field } = useTexts(first);
  const [current, setCurrent] = useState('');
  const session = useSession();
  const mayRename = useMay('user_update_all');
  const change = useChange({ user, onClose });
  const isOneself = session.user.id === user.id;
  const changes = changesOf(first, texts);
  const needsProof = session.has_password && (changes.email !== undefined || changes.password !== undefined);
  const input = (name: keyof typeof first) => ({ ...field(name), error: isFaulty(change.error, `/${name}`) });
  return (
    <DialogForm
      title={isOneself ? 'Change your account' : `Change the account of ${called(user)}`}
      action="Save"
      sending={change}
      mayNot={Object.keys(changes).length === 0}
      onSubmit={() => change.mutate({ ...changes, ...(needsProof && { current_password: current }) })}
      onClose={onClose}
    >
      <NameInput autoComplete={isOneself ? 'name' : 'off'} {...input('name')} />
      {mayRename ? <UsernameInput {...input('username')} /> : null}
      {/* Who has no password cannot prove that it is them who change it. */}
      {isOneself && !session.has_password ? null : (
        <EmailInput autoComplete={isOneself ? 'email' : 'off'} {...input('email')} />
      )}
      {isOneself ? null : <PasswordForThem label="New password" description={aboutPassword} {...input('password')} />}
      {needsProof ? (
        <OwnPassword description={whyProof} value={current} onChange={setCurrent} error={change.error} />
      ) : null}
    </DialogForm>
  );
}

const aboutPassword =
  'Leave it empty to change nothing there. A new one has at least 12 characters and signs them out everywhere: tell it to them.';
const whyProof = 'An e-mail or a password is changed with it alone.';
