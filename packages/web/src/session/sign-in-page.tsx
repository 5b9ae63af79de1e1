import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { client } from '../api/client.ts';
import { Mark } from '../frame/mark.tsx';
import { ProblemNote } from '../shown/problem-note.tsx';
import { useTitle } from '../shown/use-title.ts';
import { formText } from './form-text.ts';
import { isSecure } from './secure-connection.ts';
import { beginSession } from './session-query.ts';
import styles from './session.module.css';

export function SignInPage() {
  useTitle('Sign in');
  return (
    <main className={styles['middle']}>
      <div className={styles['mark']}>
        <Mark size={28} />
        <h1>Sign in to Milepost</h1>
      </div>
      {isSecure(window.location) ? <SignInForm /> : <NotSecure />}
    </main>
  );
}

function SignInForm() {
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

function NotSecure() {
  const { host } = window.location;
  return (
    <div role="alert" className={styles['form']}>
      <p>
        This connection is not encrypted: anybody between you and <bdi>{host}</bdi> could read your password. Signing in
        is possible over https, or on the machine itself.
      </p>
      <p>
        <a className={styles['link']} href={`https://${host}${window.location.pathname}`}>
          Try https://<bdi>{host}</bdi>
        </a>
      </p>
    </div>
  );
}
