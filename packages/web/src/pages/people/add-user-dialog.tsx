/** Adds a person or a service account, with a role if the current user may assign roles. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { client } from '../../api/client.ts';
import type { CallOf } from '../../api/operation-query.ts';
import { paths } from '../../paths.ts';
import { usePermission } from '../../session/session-context.ts';
import { announceDone } from '../../ui/announcements.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { useFormFields } from '../../ui/form-fields.ts';
import { AccessChoice, accessFields, missingAccess, type Access } from './access-choice.tsx';
import { displayName } from './user-data.ts';
import { rolesQuery } from './user-queries.ts';
import { EmailInput, NameInput, UserPasswordInput, UsernameInput } from './user-inputs.tsx';
import styles from './people.module.css';

interface Props {
  opened: boolean;
  onClose: () => void;
}

export const AddUserDialog = ({ opened, onClose }: Props) => (
  <FormDialog opened={opened} onClose={onClose}>
    <AddUserForm onClose={onClose} />
  </FormDialog>
);

const emptyUser = { name: '', username: '', email: '', password: '' };
type NewUser = CallOf<'createUser'>['body'];

function useAdd(onClose: () => void) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: NewUser) => client.createUser({ body }),
    onSuccess: (user) => {
      announceDone(`Added ${displayName(user)}.`);
      onClose();
      void navigate(paths.user(user.id));
    },
  });
}

function missingRoles({ data, isError }: { data: unknown; isError: boolean }): string | undefined {
  if (data !== undefined) return undefined;
  return isError ? 'The roles could not be loaded.' : 'The roles are loading.';
}

function AddUserForm({ onClose }: { onClose: () => void }) {
  const { texts, field } = useFormFields(emptyUser);
  const [isServiceAccount, setIsServiceAccount] = useState(false);
  const mayAssign = usePermission('roles_manage');
  const roles = useQuery({ ...rolesQuery, enabled: mayAssign });
  const [access, setAccess] = useState<Access>({ role: 'user', cohorts: undefined });
  const add = useAdd(onClose);
  const submit = () =>
    add.mutate({
      name: texts.name.trim(),
      username: texts.username.trim(),
      email: texts.email.trim(),
      ...(!isServiceAccount && texts.password !== '' && { password: texts.password }),
      ...accessFields(access, mayAssign),
    });
  return (
    <DialogForm
      title="New user"
      action="Create"
      sending={add}
      missing={missingAccess(access) ?? (mayAssign ? missingRoles(roles) : undefined)}
      onSubmit={submit}
      onClose={onClose}
    >
      <NameInput {...field('name')} />
      <UsernameInput {...field('username')} />
      <EmailInput {...field('email')} />
      <label className={styles['choice']}>
        <input type="checkbox" checked={isServiceAccount} onChange={() => setIsServiceAccount(!isServiceAccount)} />
        Service account (signs in with API tokens only)
      </label>
      {isServiceAccount ? null : (
        <UserPasswordInput
          label="Initial password"
          description="Use at least 12 characters. Share it with the user, who can change it on the account page."
          required
          {...field('password')}
        />
      )}
      <AccessChoice access={access} onChange={setAccess} roles={mayAssign ? roles : undefined} />
    </DialogForm>
  );
}
