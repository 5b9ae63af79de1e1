/** A link by mail for who has forgotten the password. Nobody learns here whether there is such an account. */
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { client } from '../api/client.ts';
import { paths } from '../paths.ts';
import { ProblemNote } from '../shown/problem-note.tsx';
import { Entrance } from './entrance.tsx';
import { formText } from './form-text.ts';
import styles from './session.module.css';

export function ForgotPasswordPage() {
  const ask = useMutation({
    mutationFn: (form: FormData) => client.askPasswordReset({ body: { login: formText(form, 'login').trim() } }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    ask.mutate(new FormData(event.currentTarget));
  };
  return (
    <Entrance title="Forgot your password?" heading="Forgot your password?">
      {ask.data ? (
        <p role="status">{ask.data.message}</p>
      ) : (
        <form className={styles['form']} onSubmit={submit}>
          <p>We send a link to the e-mail of your account. With it you choose a new password.</p>
          <TextInput
            name="login"
            label="Username or e-mail"
            autoComplete="username"
            autoFocus
            required
            withAsterisk={false}
            maxLength={255}
          />
          {ask.error ? <ProblemNote error={ask.error} /> : null}
          <Button type="submit" variant="filled" loading={ask.isPending}>
            Send me a link
          </Button>
        </form>
      )}
      <p>
        <a className={styles['link']} href={paths.attention}>
          Back to sign-in
        </a>
      </p>
    </Entrance>
  );
}
