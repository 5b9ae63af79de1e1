import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { client } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { called } from '../../people/called.ts';
import { EmailInput, NameInput, PasswordForThem, UsernameInput } from '../../people/person-inputs.tsx';
import { useTexts } from '../../people/use-texts.ts';
import { announceDone } from '../../shown/announcements.tsx';
import { DialogForm, FormDialog } from '../../shown/form-dialog.tsx';
import people from '../../people/people.module.css';

interface Props {
  opened: boolean;
  onClose: () => void;
}

export const AddUserDialog = ({ opened, onClose }: Props) => (
  <FormDialog opened={opened} onClose={onClose}>
    <AddUserForm onClose={onClose} />
  </FormDialog>
);

const nobody = { name: '', username: '', email: '', password: '' };
type Wanted = typeof nobody & { all_cohorts: boolean };

/** Whoever was added is shown next: the roles are given there. */
function useAdd(onClose: () => void) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ name, username, email, password, all_cohorts }: Wanted) =>
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
      announceDone(`${called(user)} is added.`);
      onClose();
      void navigate(paths.user(user.id));
    },
  });
}

function AddUserForm({ onClose }: { onClose: () => void }) {
  const { texts, field } = useTexts(nobody);
  const [isProgram, setIsProgram] = useState(false);
  const [seesAll, setSeesAll] = useState(true);
  const add = useAdd(onClose);
  return (
    <DialogForm
      title="Add a user"
      action="Add the user"
      sending={add}
      onSubmit={() => add.mutate({ ...texts, ...(isProgram && { password: '' }), all_cohorts: seesAll })}
      onClose={onClose}
    >
      <NameInput {...field('name')} />
      <UsernameInput {...field('username')} />
      <EmailInput {...field('email')} />
      <label className={people['choice']}>
        <input type="checkbox" checked={isProgram} onChange={() => setIsProgram(!isProgram)} />
        It is a program: it has no password, and comes by tokens
      </label>
      {isProgram ? null : (
        <PasswordForThem
          label="First password"
          description="At least 12 characters. Tell it to them; they change it on the page of their account."
          required
          {...field('password')}
        />
      )}
      <Sight seesAll={seesAll} onChange={setSeesAll} />
    </DialogForm>
  );
}

const Sight = ({ seesAll, onChange }: { seesAll: boolean; onChange: (seesAll: boolean) => void }) => (
  <fieldset className={people['choices']}>
    <legend>Study data</legend>
    <label className={people['choice']}>
      <input type="radio" name="sight" checked={seesAll} onChange={() => onChange(true)} />
      Sees all cohorts, by the role “user”
    </label>
    <label className={people['choice']}>
      <input type="radio" name="sight" checked={!seesAll} onChange={() => onChange(false)} />
      Sees only cohorts that are given afterwards, and none until then
    </label>
  </fieldset>
);
