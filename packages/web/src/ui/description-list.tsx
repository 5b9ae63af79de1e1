import type { ReactNode } from 'react';
import styles from './description-list.module.css';

/** A list of names and values. Null values are omitted. */
export const DescriptionList = ({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={styles['list']}>
    {items.map(([name, value]) =>
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
