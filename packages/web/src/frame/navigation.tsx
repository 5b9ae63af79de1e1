import { Drawer } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { paths } from '../paths.ts';
import { Icon } from '../shown/icon.tsx';
import { basePath } from '../api/client.ts';
import { Mark } from './mark.tsx';
import { useAttentionCount } from './use-attention-count.ts';
import { usePermittedPages } from './use-permitted-pages.ts';
import styles from './frame.module.css';

const linkClass = styles['link'] ?? '';

function Links() {
  const count = useAttentionCount();
  return (
    <div className={styles['links']}>
      <NavLink end className={linkClass} to={paths.attention}>
        Needs attention {count === undefined ? null : <b>{count}</b>}
      </NavLink>
      <NavLink className={linkClass} to={paths.workflows}>
        Workflows
      </NavLink>
      <NavLink className={linkClass} to={paths.experiments}>
        Experiments
      </NavLink>
      <NavLink className={linkClass} to={paths.cohorts}>
        Cohorts
      </NavLink>
      <p className={styles['section']}>Setup</p>
      <NavLink className={linkClass} to={paths.externalSystems}>
        External systems
      </NavLink>
      {usePermittedPages().map(([name, path]) => (
        <NavLink key={path} className={linkClass} to={path}>
          {name}
        </NavLink>
      ))}
      <a className={linkClass} href={`${basePath}/docs`}>
        API reference
      </a>
    </div>
  );
}

const Home = () => (
  <Link to={paths.attention} className={styles['home']}>
    <Mark />
    Milepost
  </Link>
);

export const Navigation = () => (
  <nav aria-label="Main" className={styles['navigation']}>
    <Home />
    <Links />
  </nav>
);

/** The navigation of a small screen: a drawer that opens with a button. */
export function NarrowNavigation() {
  const [open, setOpen] = useState(false);
  const { key } = useLocation();
  useEffect(() => setOpen(false), [key]);
  return (
    <>
      <button
        type="button"
        className={styles['burger']}
        aria-label="Open navigation"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Icon name="menu" size={18} />
      </button>
      <Drawer
        opened={open}
        onClose={() => setOpen(false)}
        size={264}
        title={<Home />}
        closeButtonProps={{ 'aria-label': 'Close navigation' }}
      >
        <nav aria-label="Main">
          <Links />
        </nav>
      </Drawer>
    </>
  );
}
