/** The saved views in the navigation, with the number of experiments that each finds. */
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { paths } from '../paths.ts';
import { count } from '../ui/numbers.ts';
import { Name } from '../ui/name.tsx';
import { useViews, viewCountsQuery, viewPath, type View } from './use-views.ts';
import styles from '../frame/frame.module.css';

/** More are found with the palette. */
const mostShown = 20;

/** The id of the view that the page shows. */
function useShownView(): number | undefined {
  const { pathname, search } = useLocation();
  const id = new URLSearchParams(search).get('view');
  return pathname === paths.experiments && id !== null ? Number(id) : undefined;
}

export function ViewLinks() {
  const views = useViews();
  const shown = useShownView();
  const { data } = useQuery({ ...viewCountsQuery, enabled: views.length > 0 });
  const counts = new Map(data?.counts.map((one) => [one.view_id, one]));
  if (views.length === 0) return null;
  return (
    <>
      <p className={styles['section']}>Views</p>
      {views.slice(0, mostShown).map((view) => (
        <ViewLink key={view.id} view={view} isShown={view.id === shown} counted={counts.get(view.id)} />
      ))}
    </>
  );
}

interface Props {
  view: View;
  isShown: boolean;
  counted: { experiments: number | null; more: boolean } | undefined;
}

const ViewLink = ({ view, isShown, counted }: Props) => (
  <Link className={styles['link']} to={viewPath(view)} aria-current={isShown ? 'page' : undefined}>
    <Name text={view.name} />
    {typeof counted?.experiments === 'number' ? (
      <span className={styles['count']}>
        {count(counted.experiments)}
        {counted.more ? '+' : ''}
      </span>
    ) : null}
  </Link>
);
