import type { ReactNode } from 'react';
import { Mark } from '../frame/mark.tsx';
import { useTitle } from '../shown/use-title.ts';
import { isSecure } from './secure-connection.ts';
import styles from './session.module.css';

interface Props {
  title: string;
  heading: string;
  children: ReactNode;
}

/** A page for signed-out users. Over an insecure connection it shows no form, because others could read the password. */
export function PublicPage({ title, heading, children }: Props) {
  useTitle(title);
  return (
    <main className={styles['middle']}>
      <div className={styles['mark']}>
        <Mark size={28} />
        <h1>{heading}</h1>
      </div>
      {isSecure(window.location) ? children : <NotSecure />}
    </main>
  );
}

function NotSecure() {
  const { host } = window.location;
  return (
    <div role="alert" className={styles['form']}>
      <p>
        The connection to <bdi>{host}</bdi> is not encrypted, so others could read your password. Sign in over https, or
        on the machine that runs Milepost.
      </p>
      <p>
        <a className={styles['link']} href={`https://${host}${window.location.pathname}`}>
          Try https://<bdi>{host}</bdi>
        </a>
      </p>
    </div>
  );
}
