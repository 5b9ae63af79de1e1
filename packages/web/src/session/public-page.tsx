import type { ReactNode } from 'react';
import { Logo } from '../ui/icon.tsx';
import { useTitle } from '../ui/page-layout.tsx';
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
        <Logo size={28} />
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

/** Whether nobody can read a password in transit: with https, or on this machine. */
export const isSecure = ({ protocol, hostname }: Pick<Location, 'protocol' | 'hostname'>): boolean =>
  protocol === 'https:' ||
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  /^(?:127(?:\.\d+){3}|\[::1\])$/.test(hostname);
