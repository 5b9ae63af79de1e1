/** Where the link of a mail leads: another password. What proves it stands behind the # of the address, which no server sees. */
import { Button, PasswordInput } from '@mantine/core';
import { ProblemError } from '@milepost/api';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import { client } from '../api/client.ts';
import { paths } from '../paths.ts';
import { ProblemNote } from '../shown/problem-note.tsx';
import { Entrance } from './entrance.tsx';
import { formText } from './form-text.ts';
import styles from './session.module.css';

/** Read once and taken out of the address: it stays neither on the screen nor in the history of the browser. */
function useToken(): string {
  const [token] = useState(() => window.location.hash.slice(1));
  useEffect(() => window.history.replaceState(null, '', window.location.pathname), []);
  return token;
}

export function ResetPasswordPage() {
  const token = useToken();
  const [changed, setChanged] = useState(false);
  return (
    <Entrance title="A new password" heading="A new password">
      {changed ? <Changed /> : token === '' ? <NoToken /> : <ResetForm token={token} onDone={() => setChanged(true)} />}
    </Entrance>
  );
}

const Changed = () => (
  <>
    <p role="status">Your password is changed. Wherever you were signed in, you are signed out.</p>
    <p>
      Tokens that programs use go on. If somebody else may have known your password, look at those on the page of your
      account, and revoke what you did not make.
    </p>
    <Button component="a" variant="filled" href={paths.attention}>
      Sign in
    </Button>
  </>
);

const NoToken = () => (
  <>
    <p role="alert">
      This address is not whole. Open the link of the mail once more, or copy all of it into the address bar.
    </p>
    <AskAgain />
  </>
);

const AskAgain = () => (
  <p>
    <a className={styles['link']} href={paths.forgotPassword}>
      Ask for another link
    </a>
  </p>
);

/** A password that is refused leaves the link as it is. */
const isOver = (error: Error): boolean => error instanceof ProblemError && error.problem?.code === 'wrong_reset_token';

function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const [differ, setDiffer] = useState(false);
  const redeem = useMutation({
    mutationFn: (password: string) => client.redeemPasswordReset({ body: { token, password } }),
    onSuccess: onDone,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const password = formText(given, 'next');
    const same = password === formText(given, 'again');
    setDiffer(!same);
    if (same) redeem.mutate(password);
    else redeem.reset();
  };
  return (
    <form className={styles['form']} onSubmit={submit}>
      <p>At least 12 characters; a sentence is fine. You are signed out everywhere when it changes.</p>
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
        label="New password again"
        autoComplete="new-password"
        error={differ && 'The two passwords differ.'}
        required
        withAsterisk={false}
      />
      {redeem.error ? (
        <>
          <ProblemNote error={redeem.error} />
          {isOver(redeem.error) ? <AskAgain /> : null}
        </>
      ) : null}
      <Button type="submit" variant="filled" loading={redeem.isPending}>
        Change password
      </Button>
    </form>
  );
}
