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

/** A page for those who are not signed in. What is typed there is secret: it asks for nothing where others could read it. */
export function Entrance({ title, heading, children }: Props) {
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
