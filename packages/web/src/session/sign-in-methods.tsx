import { Button } from '@mantine/core';
import type { BodyOf } from '../api/operation-query.ts';
import { paths } from '../paths.ts';
import { returnTo } from './return-to.ts';
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
