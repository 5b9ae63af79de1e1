import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { client } from '../api/client.ts';
import { formText } from '../ui/form-fields.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { beginSession } from './session-query.ts';
import styles from './session.module.css';

export function SignInForm() {
  const queryClient = useQueryClient();
  const signIn = useMutation({
    mutationFn: (form: FormData) =>
      client.signIn({ body: { username: formText(form, 'username').trim(), password: formText(form, 'password') } }),
    onSuccess: (session) => beginSession(queryClient, session),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    signIn.mutate(new FormData(event.currentTarget));
  };
  return (
    <form className={styles['form']} onSubmit={submit}>
      <TextInput
        name="username"
        label="Username or e-mail"
        autoComplete="username"
        autoFocus
        required
        withAsterisk={false}
      />
      <PasswordInput name="password" label="Password" autoComplete="current-password" required withAsterisk={false} />
      {signIn.error ? <ProblemNote error={signIn.error} /> : null}
      <Button type="submit" variant="filled" loading={signIn.isPending}>
        Sign in
      </Button>
    </form>
  );
}
