/** Says on every page what does not work. Loaded only while something does not. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { client } from '../api/client.ts';
import { paths } from '../paths.ts';
import { usePermission } from '../session/session-context.ts';
import { Icon } from '../ui/icon.tsx';
import { textOfCondition } from './condition-texts.ts';
import styles from './degraded-banner.module.css';

const everyMilliseconds = 10_000;

/** Each response says whether the conditions still apply. An unused page sends few requests, so this one is sent for it. */
function useRecheck(): void {
  useQuery({
    queryKey: ['degraded'],
    queryFn: ({ signal }) => client.getSession({ signal }),
    refetchInterval: everyMilliseconds,
    retry: false,
    gcTime: 0,
  });
}

export function DegradedBanner({ names }: { names: readonly string[] }) {
  useRecheck();
  const isOperator = usePermission('service_run');
  return (
    <div role="status" className={styles['banner']}>
      <Icon name="warning" size={16} />
      <ul>
        {names.map((name) => {
          const { title, meaning } = textOfCondition(name);
          return (
            <li key={name}>
              <b>{title}</b> {meaning}
            </li>
          );
        })}
      </ul>
      {isOperator ? <Link to={paths.system}>View system</Link> : null}
    </div>
  );
}
