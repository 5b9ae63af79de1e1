/** Tabs as links, so that users can share a view. */
import { Link } from 'react-router';
import styles from './tabs.module.css';

export interface Tab {
  name: string;
  to: string;
  current: boolean;
  count?: string | undefined;
}

export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => (
  <nav aria-label={label} className={styles['tabs']}>
    {tabs.map(({ name, to, current, count }) => (
      <Link key={name} to={to} replace preventScrollReset aria-current={current ? 'page' : undefined}>
        {name}
        {count === undefined ? null : <b>{count}</b>}
      </Link>
    ))}
  </nav>
);
