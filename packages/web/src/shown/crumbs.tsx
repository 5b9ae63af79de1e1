import { Fragment } from 'react';
import { NameLink } from './name.tsx';
import styles from './crumbs.module.css';

/** What this belongs to, from the largest to the smallest. */
export const Crumbs = ({ crumbs }: { crumbs: readonly { label: string; to: string }[] }) => (
  <nav aria-label="Belongs to" className={styles['crumbs']}>
    {crumbs.map(({ label, to }, place) => (
      <Fragment key={to}>
        {place === 0 ? null : <span aria-hidden="true">/</span>}
        <NameLink text={label} to={to} />
      </Fragment>
    ))}
  </nav>
);
