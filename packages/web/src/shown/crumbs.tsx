import { Fragment } from 'react';
import { NameLink } from './name.tsx';
import styles from './crumbs.module.css';

/** The parents of the shown resource, from the outermost. */
export const Crumbs = ({ crumbs }: { crumbs: readonly { label: string; to: string }[] }) => (
  <nav aria-label="Breadcrumbs" className={styles['crumbs']}>
    {crumbs.map(({ label, to }, index) => (
      <Fragment key={to}>
        {index === 0 ? null : <span aria-hidden="true">/</span>}
        <NameLink text={label} to={to} />
      </Fragment>
    ))}
  </nav>
);
