/** Requests a password reset link by mail. The response does not reveal whether the account exists. */
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { client } from '../api/client.ts';
import { paths } from '../paths.ts';
import { formText } from '../ui/form-fields.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { PublicPage } from './public-page.tsx';
import styles from './session.module.css';

export function ForgotPasswordPage() {
  const request = useMutation({
    mutationFn: (form: FormData) => client.askPasswordReset({ body: { login: formText(form, 'login').trim() } }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    request.mutate(new FormData(event.currentTarget));
  };
  return (
    <PublicPage title="Forgot your password?" heading="Forgot your password?">
      {request.data ? (
        <p role="status">{request.data.message}</p>
      ) : (
        <form className={styles['form']} onSubmit={submit}>
          <p>You get an e-mail with a link to set a new password.</p>
          <TextInput
            name="login"
            label="Username or e-mail"
            autoComplete="username"
            autoFocus
            required
            withAsterisk={false}
            maxLength={255}
          />
          {request.error ? <ProblemNote error={request.error} /> : null}
          <Button type="submit" variant="filled" loading={request.isPending}>
            Send reset link
          </Button>
        </form>
      )}
      <p>
        <a className={styles['link']} href={paths.attention}>
          Back to sign-in
        </a>
      </p>
    </PublicPage>
  );
}
