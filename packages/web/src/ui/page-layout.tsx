/** The layout of a page: the tab title, breadcrumbs, the head and two columns. */
import { Fragment, useEffect, type ReactNode } from 'react';
import { NameLink } from './name.tsx';
import styles from './page-layout.module.css';

/** Sets the tab title. Undefined while the page is loading. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined ? 'Milepost' : `${title} · Milepost`;
  }, [title]);
}

/** The parents of the shown resource, from the outermost. */
export const Breadcrumbs = ({ crumbs }: { crumbs: readonly { label: string; to: string }[] }) => (
  <nav aria-label="Breadcrumbs" className={styles['breadcrumbs']}>
    {crumbs.map(({ label, to }, index) => (
      <Fragment key={to}>
        {index === 0 ? null : <span aria-hidden="true">/</span>}
        <NameLink text={label} to={to} />
      </Fragment>
    ))}
  </nav>
);

interface HeadProps {
  title: ReactNode;
  /** One sentence below the title. */
  about?: ReactNode;
  /** Buttons, at most one of them primary. */
  children?: ReactNode;
}

export const PageHead = ({ title, about, children }: HeadProps) => (
  <div className={styles['head']}>
    <div className={styles['words']}>
      <h1>{title}</h1>
      {about === undefined ? null : <p>{about}</p>}
    </div>
    {children ? <div className={styles['buttons']}>{children}</div> : null}
  </div>
);

interface ColumnsProps {
  main: ReactNode;
  /** Next to the main column, or below it on a small screen. */
  side: ReactNode;
  /** At the top of the side column, or above everything on a small screen. */
  first?: ReactNode;
}

export const TwoColumns = ({ main, side, first }: ColumnsProps) => (
  <div className={styles['columns']}>
    {first ? <div className={styles['first']}>{first}</div> : null}
    <div className={styles['main']}>{main}</div>
    <div className={styles['side']}>{side}</div>
  </div>
);
