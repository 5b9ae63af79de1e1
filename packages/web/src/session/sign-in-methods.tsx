import { Button } from '@mantine/core';
import type { BodyOf } from '../api/operation-query.ts';
import { paths } from '../paths.ts';
import styles from './session.module.css';

/** Single sign-on and the link to reset a password. */
export const SignInMethods = ({ methods }: { methods: BodyOf<'getSignInWays'> }) => (
  <div className={styles['form']}>
    {methods.single_sign_on ? (
      <Button component="a" href={`${methods.single_sign_on.uri}?return_to=${returnTo(window.location)}`}>
        Sign in with&nbsp;<bdi>{methods.single_sign_on.name}</bdi>
      </Button>
    ) : null}
    {methods.password_reset ? (
      <a className={styles['link']} href={paths.forgotPassword}>
        Forgot your password?
      </a>
    ) : null}
  </div>
);

/** The server's limit. */
const maxLength = 1000;

/** The page to open after the sign-in, encoded for a URL. */
export function returnTo({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  const current = pathname + search;
  return encodeURIComponent(pathname === paths.signIn || current.length > maxLength ? paths.attention : current);
}
