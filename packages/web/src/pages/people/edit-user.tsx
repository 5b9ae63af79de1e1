/**
 * Edits the name, username and e-mail of a user, and the password of another user. Your own password has its own form. A
 * changed e-mail or password outlasts the session, so it requires your current password.
 */
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { hasFieldError } from '../../api/problems.ts';
import { usePermission, useSession } from '../../session/session-context.ts';
import { sessionQuery } from '../../session/session-query.ts';
import { announceDone } from '../../ui/announcements.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { useFormFields } from '../../ui/form-fields.ts';
import { CurrentPasswordInput } from './current-password-input.tsx';
import { changesOf, displayName, type UserData } from './user-data.ts';
import { EmailInput, NameInput, UserPasswordInput, UsernameInput } from './user-inputs.tsx';

interface Props {
  user: UserData & { id: number };
}

export function EditUser({ user }: Props) {
  const [opened, setOpened] = useState(false);
  const onClose = () => setOpened(false);
  return (
    <>
      <Button onClick={() => setOpened(true)}>Edit…</Button>
      <FormDialog opened={opened} onClose={onClose}>
        <EditUserForm user={user} onClose={onClose} />
      </FormDialog>
    </>
  );
}

type Changes = ReturnType<typeof changesOf> & { current_password?: string };

function useChange({ user, onClose }: Props & { onClose: () => void }) {
  const queryClient = useQueryClient();
  const isSelf = useSession().user.id === user.id;
  return useMutation({
    mutationFn: (body: Changes) => client.updateUser({ params: { id: user.id }, body }),
    onSuccess: async (changed, { password }) => {
      await queryClient.invalidateQueries({ queryKey: isSelf ? sessionQuery.queryKey : ['getUser'] });
      announceDone(doneMessage(isSelf, displayName(changed), password !== undefined));
      onClose();
    },
    // Keeps no passwords in memory.
    gcTime: 0,
  });
}

function doneMessage(isSelf: boolean, name: string, withPassword: boolean): string {
  if (isSelf) return 'Updated your account.';
  const message = `Updated the account of ${name}.`;
  return withPassword ? `${message} They are signed out everywhere. Their API tokens still work.` : message;
}

function EditUserForm({ user, onClose }: Props & { onClose: () => void }) {
  // The initial values stay, so that changes by other users are not reverted.
  const [first] = useState({ name: user.name, username: user.username, email: user.email, password: '' });
  const { texts, field } = useFormFields(first);
  const [current, setCurrent] = useState('');
  const session = useSession();
  const mayRename = usePermission('user_update_all');
  const change = useChange({ user, onClose });
  const isSelf = session.user.id === user.id;
  const changes = changesOf(first, texts);
  const needsPassword = session.has_password && (changes.email !== undefined || changes.password !== undefined);
  const input = (name: keyof typeof first) => ({ ...field(name), error: hasFieldError(change.error, `/${name}`) });
  return (
    <DialogForm
      title={isSelf ? 'Edit your account' : `Edit the account of ${displayName(user)}`}
      action="Save"
      sending={change}
      missing={Object.keys(changes).length === 0 ? 'Nothing has changed yet.' : undefined}
      onSubmit={() => change.mutate({ ...changes, ...(needsPassword && { current_password: current }) })}
      onClose={onClose}
    >
      <NameInput autoComplete={isSelf ? 'name' : 'off'} {...input('name')} />
      {mayRename ? <UsernameInput {...input('username')} /> : null}
      {/* Changing your own e-mail requires a password. */}
      {isSelf && !session.has_password ? null : (
        <EmailInput autoComplete={isSelf ? 'email' : 'off'} {...input('email')} />
      )}
      {isSelf ? null : <UserPasswordInput label="New password" description={aboutPassword} {...input('password')} />}
      {needsPassword ? (
        <CurrentPasswordInput description={whyPassword} value={current} onChange={setCurrent} error={change.error} />
      ) : null}
    </DialogForm>
  );
}

const aboutPassword =
  'Leave empty to keep the password. A new password needs at least 12 characters and signs the user out everywhere.';
const whyPassword = 'Required to change an e-mail address or a password.';
