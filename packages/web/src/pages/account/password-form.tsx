/** Changing the password ends every session of the account. The response starts a new one for this browser. */
import { Button, PasswordInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { client } from '../../api/client.ts';
import { hasFieldError } from '../../api/problems.ts';
import { useSession } from '../../session/session-context.ts';
import { checkSession } from '../../session/session-query.ts';
import { announceDone } from '../../ui/announcements.tsx';
import { formText } from '../../ui/form-fields.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Section } from '../../ui/section.tsx';
import styles from './account.module.css';

interface Passwords {
  current: string;
  next: string;
}

function useChange(onDone: () => void) {
  const { user } = useSession();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ current, next }: Passwords) =>
      client.updateUser({ params: { id: user.id }, body: { password: next, current_password: current } }),
    onSuccess: () => {
      checkSession(queryClient);
      announceDone(
        'Changed your password and ended your other sessions. Your API tokens still work. Revoke any that you do not recognise.',
      );
      onDone();
    },
    // Removes the passwords from the mutation cache at once.
    gcTime: 0,
  });
}

export function PasswordForm() {
  const { user } = useSession();
  const form = useRef<HTMLFormElement>(null);
  const [differ, setDiffer] = useState(false);
  const change = useChange(() => form.current?.reset());
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const next = formText(fields, 'next');
    const same = next === formText(fields, 'again');
    setDiffer(!same);
    if (same) change.mutate({ current: formText(fields, 'current'), next });
    else change.reset();
  };
  return (
    <Section title="Password">
      <p className={styles['about']}>
        Use at least 12 characters. A sentence works well. Changing your password ends your other sessions.
      </p>
      <form ref={form} className={styles['form']} onSubmit={submit}>
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
        <Field name="current" label="Current password" error={hasFieldError(change.error, '/current_password')} />
        <Field name="next" label="New password" error={hasFieldError(change.error, '/password')} />
        <Field name="again" label="Confirm new password" error={differ && 'The new passwords do not match.'} />
        {change.error ? <ProblemNote error={change.error} /> : null}
        <Button type="submit" variant="filled" loading={change.isPending}>
          Change password
        </Button>
      </form>
    </Section>
  );
}

const Field = ({ name, label, error }: { name: string; label: string; error: string | boolean }) => (
  <PasswordInput
    name={name}
    label={label}
    error={error}
    autoComplete={name === 'current' ? 'current-password' : 'new-password'}
    required
    withAsterisk={false}
    className={styles['field'] ?? ''}
  />
);
