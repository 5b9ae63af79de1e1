import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { client } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { announceDone } from '../../ui/announcements.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { useFormFields } from '../../ui/form-fields.ts';
import { displayName } from './user-data.ts';
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
type NewUser = typeof emptyUser & { all_cohorts: boolean };

/** Opens the page of the new user, where roles are assigned. */
function useAdd(onClose: () => void) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ name, username, email, password, all_cohorts }: NewUser) =>
      client.createUser({
        body: {
          name: name.trim(),
          username: username.trim(),
          email: email.trim(),
          ...(password === '' ? {} : { password }),
          all_cohorts,
        },
      }),
    onSuccess: (user) => {
      announceDone(`Added ${displayName(user)}.`);
      onClose();
      void navigate(paths.user(user.id));
    },
  });
}

function AddUserForm({ onClose }: { onClose: () => void }) {
  const { texts, field } = useFormFields(emptyUser);
  const [isServiceAccount, setIsServiceAccount] = useState(false);
  const [seesAll, setSeesAll] = useState(true);
  const add = useAdd(onClose);
  return (
    <DialogForm
      title="Add user"
      action="Add user"
      sending={add}
      onSubmit={() => add.mutate({ ...texts, ...(isServiceAccount && { password: '' }), all_cohorts: seesAll })}
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
      <CohortAccess seesAll={seesAll} onChange={setSeesAll} />
    </DialogForm>
  );
}

const CohortAccess = ({ seesAll, onChange }: { seesAll: boolean; onChange: (seesAll: boolean) => void }) => (
  <fieldset className={styles['choices']}>
    <legend>Access to study data</legend>
    <label className={styles['choice']}>
      <input type="radio" name="access" checked={seesAll} onChange={() => onChange(true)} />
      All cohorts, with the role “user”
    </label>
    <label className={styles['choice']}>
      <input type="radio" name="access" checked={!seesAll} onChange={() => onChange(false)} />
      None until you assign roles in cohorts
    </label>
  </fieldset>
);
