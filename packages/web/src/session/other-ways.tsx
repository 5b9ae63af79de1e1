import { Button } from '@mantine/core';
import type { BodyOf } from '../api/operation-query.ts';
import { paths } from '../paths.ts';
import { comeBackTo } from './come-back-to.ts';
import styles from './session.module.css';

/** For who has forgotten the password, and for who has none here. */
export const OtherWays = ({ ways }: { ways: BodyOf<'getSignInWays'> }) => (
  <div className={styles['form']}>
    {ways.single_sign_on ? (
      <Button component="a" href={`${ways.single_sign_on.uri}?return_to=${comeBackTo(window.location)}`}>
        Sign in with&nbsp;<bdi>{ways.single_sign_on.name}</bdi>
      </Button>
    ) : null}
    {ways.password_reset ? (
      <a className={styles['link']} href={paths.forgotPassword}>
        Forgot your password?
      </a>
    ) : null}
  </div>
);
