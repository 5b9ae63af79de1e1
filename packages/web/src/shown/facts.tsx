/** Names and what they stand for, line by line. */
import type { ReactNode } from 'react';
import styles from './facts.module.css';

export interface Fact {
  key: string;
  name: ReactNode;
  value: ReactNode;
}

export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={styles['facts']}>
    {facts.map(({ key, name, value }) => (
      <div key={key}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
