/** The page that a password reset link opens. The secret is in the URL fragment, which is not sent to the server. */
import { Button, PasswordInput } from '@mantine/core';
import { ProblemError } from '@milepost/api';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import { client } from '../api/client.ts';
import { paths } from '../paths.ts';
import { formText } from '../ui/form-fields.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { PublicPage } from './public-page.tsx';
import styles from './session.module.css';

/** Reads the secret once and removes it from the URL and the browser history. */
function useToken(): string {
  const [token] = useState(() => window.location.hash.slice(1));
  useEffect(() => window.history.replaceState(null, '', window.location.pathname), []);
  return token;
}

export function ResetPasswordPage() {
  const token = useToken();
  const [changed, setChanged] = useState(false);
  return (
    <PublicPage title="Set a new password" heading="Set a new password">
      {changed ? <Changed /> : token === '' ? <NoToken /> : <ResetForm token={token} onDone={() => setChanged(true)} />}
    </PublicPage>
  );
}

const Changed = () => (
  <>
    <p role="status">Your password was changed. You are signed out everywhere.</p>
    <p>
      Your API tokens still work. If someone else may know your old password, check the tokens on your account page and
      revoke any that you did not create.
    </p>
    <Button component="a" variant="filled" href={paths.attention}>
      Sign in
    </Button>
  </>
);

const NoToken = () => (
  <>
    <p role="alert">
      This link is incomplete. Open the link in the e-mail again, or copy the whole link into the address bar.
    </p>
    <RequestLink />
  </>
);

const RequestLink = () => (
  <p>
    <a className={styles['link']} href={paths.forgotPassword}>
      Request a new link
    </a>
  </p>
);

/** A rejected password does not use up the link. */
const hasExpired = (error: Error): boolean =>
  error instanceof ProblemError && error.problem?.code === 'wrong_reset_token';

function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const [differ, setDiffer] = useState(false);
  const redeem = useMutation({
    mutationFn: (password: string) => client.redeemPasswordReset({ body: { token, password } }),
    onSuccess: onDone,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const password = formText(form, 'next');
    const same = password === formText(form, 'again');
    setDiffer(!same);
    if (same) redeem.mutate(password);
    else redeem.reset();
  };
  return (
    <form className={styles['form']} onSubmit={submit}>
      <p>Use at least 12 characters. A sentence works well. Changing your password signs you out everywhere.</p>
      <PasswordInput
        name="next"
        label="New password"
        autoComplete="new-password"
        autoFocus
        required
        withAsterisk={false}
      />
      <PasswordInput
        name="again"
        label="Confirm new password"
        autoComplete="new-password"
        error={differ && 'The new passwords do not match.'}
        required
        withAsterisk={false}
      />
      {redeem.error ? (
        <>
          <ProblemNote error={redeem.error} />
          {hasExpired(redeem.error) ? <RequestLink /> : null}
        </>
      ) : null}
      <Button type="submit" variant="filled" loading={redeem.isPending}>
        Set new password
      </Button>
    </form>
  );
}
