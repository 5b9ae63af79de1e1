import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { basePath } from '../api/client.ts';
import { RunningOperations } from '../bulk/running-operations.tsx';
import { attentionCountQuery } from '../pages/attention/use-attention.ts';
import { paths } from '../paths.ts';
import { useSession } from '../session/session-context.ts';
import { Icon, Logo } from '../ui/icon.tsx';
import { cappedCount } from '../ui/numbers.ts';
import { ViewLinks } from '../views/view-links.tsx';
import { usePermittedPages } from './use-permitted-pages.ts';
import styles from './frame.module.css';

const linkClass = styles['link'] ?? '';

/** How many experiments need attention, as text. Undefined while unknown, and on the page that lists them, which shows it itself. */
function useAttentionCount(): string | undefined {
  const enabled = useLocation().pathname !== paths.attention;
  // No event announces that a wait is overdue, so the count is polled.
  const { data } = useQuery({ ...attentionCountQuery, enabled, refetchInterval: 60_000 });
  return data && cappedCount(data.counts.experiments);
}

/** For a page whose path is not below that of its section. */
const SectionLink = ({ to, children }: { to: string; children: string }) => (
  <Link className={linkClass} to={to} aria-current="true">
    {children}
  </Link>
);

/** Pages of what belongs to experiments have other paths. */
const belowExperiments = /^\/(actions|callback_executions|bulk-operations)\b/;

/** Another link is the current one if the page shows a saved view. */
function ExperimentsLink() {
  const { pathname, search } = useLocation();
  if (belowExperiments.test(pathname)) return <SectionLink to={paths.experiments}>Experiments</SectionLink>;
  const showsView = new URLSearchParams(search).has('view');
  return (
    <NavLink className={linkClass} to={paths.experiments} aria-current={showsView ? 'false' : 'page'}>
      Experiments
    </NavLink>
  );
}

/** A subject is a page of its cohort. */
function CohortsLink() {
  const isBelow = useLocation().pathname.startsWith('/subjects/');
  if (isBelow) return <SectionLink to={paths.cohorts}>Cohorts</SectionLink>;
  return (
    <NavLink className={linkClass} to={paths.cohorts}>
      Cohorts
    </NavLink>
  );
}

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
      <ExperimentsLink />
      <CohortsLink />
      <NavLink className={linkClass} to={paths.insights}>
        Insights
      </NavLink>
      <ViewLinks />
      <p className={styles['section']}>Setup</p>
      {usePermittedPages().map(([name, path]) => (
        <NavLink key={path} className={linkClass} to={path}>
          {name}
        </NavLink>
      ))}
      <a className={linkClass} href={`${basePath}/docs`}>
        API reference
      </a>
      <NavLink className={linkClass} to={paths.help}>
        Help
      </NavLink>
      <RunningOperations />
    </div>
  );
}

export const Home = () => (
  <Link to={paths.attention} className={styles['home']}>
    <Logo />
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
  const { study_name: study } = useSession();
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
        {study === '' ? null : <bdi className={styles['drawerStudy']}>{study}</bdi>}
        <nav aria-label="Main">
          <Links />
        </nav>
      </Drawer>
    </>
  );
}
