/** Another password ends every session of the account, also this one: with the new password it begins again at once. */
import { Button, PasswordInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { client } from '../../api/client.ts';
import { isFaulty } from '../../api/is-faulty.ts';
import { formText } from '../../session/form-text.ts';
import { useSession } from '../../session/session-context.ts';
import { beginSession } from '../../session/session-query.ts';
import { announceDone } from '../../shown/announcements.tsx';
import { ProblemNote } from '../../shown/problem-note.tsx';
import { Section } from '../../shown/section.tsx';
import styles from './account.module.css';

interface Passwords {
  current: string;
  next: string;
}

function useChange(onDone: () => void) {
  const { user } = useSession();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ current, next }: Passwords) => {
      await client.updateUser({ params: { id: user.id }, body: { password: next, current_password: current } });
      return client.signIn({ body: { username: user.username, password: next } });
    },
    onSuccess: (session) => {
      beginSession(queryClient, session);
      announceDone(
        'Your password is changed. Every other browser is signed out. Tokens go on: revoke those you do not know.',
      );
      onDone();
    },
    // Nothing keeps the passwords.
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
    const given = new FormData(event.currentTarget);
    const next = formText(given, 'next');
    const same = next === formText(given, 'again');
    setDiffer(!same);
    if (same) change.mutate({ current: formText(given, 'current'), next });
    else change.reset();
  };
  return (
    <Section title="Password">
      <p className={styles['about']}>
        At least 12 characters; a sentence is fine. Every other browser is signed out when it changes.
      </p>
      <form ref={form} className={styles['form']} onSubmit={submit}>
        {/* For password managers, which then know whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
        <Field name="current" label="Current password" error={isFaulty(change.error, '/current_password')} />
        <Field name="next" label="New password" error={isFaulty(change.error, '/password')} />
        <Field name="again" label="New password again" error={differ && 'The two new passwords differ.'} />
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
