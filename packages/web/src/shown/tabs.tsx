/** Tabs that are addresses: each is a link, so that a view can be sent to somebody. */
import { Link } from 'react-router';
import { count } from './numbers.ts';
import styles from './tabs.module.css';

export interface Tab {
  name: string;
  to: string;
  current: boolean;
  count?: number | undefined;
}

export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => (
  <nav aria-label={label} className={styles['tabs']}>
    {tabs.map(({ name, to, current, count: number }) => (
      <Link key={name} to={to} replace preventScrollReset aria-current={current ? 'page' : undefined}>
        {name}
        {number === undefined ? null : <b>{count(number)}</b>}
      </Link>
    ))}
  </nav>
);
