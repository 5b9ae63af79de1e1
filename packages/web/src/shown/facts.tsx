import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** A list of names and values. Null values are omitted. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={styles['facts']}>
    {facts.map(([name, value]) =>
      value === null ? null : (
        <div key={name}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>{value}</dd>
        </div>
      ),
    )}
  </dl>
);
