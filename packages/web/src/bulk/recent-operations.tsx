/** A link to all bulk operations, with the last one that ended. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { noEvents, operationQuery } from '../api/operation-query.ts';
import { paths } from '../paths.ts';
import { useTitlesByLabel } from '../status/use-state-look.tsx';
import { Timestamp } from '../ui/timestamp.tsx';
import { changeText, hasEnded, resultText } from './bulk-words.ts';
import styles from './bulk.module.css';

const recentQuery = operationQuery('listBulkOperations', { query: { applied: true, limit: 20 } }, noEvents);

export function RecentOperations() {
  const titleOf = useTitlesByLabel();
  const { data } = useQuery({ ...recentQuery, staleTime: 10_000 });
  const last = data?.bulk_operations.find(hasEnded);
  return (
    <>
      <Link className={styles['recent']} to={paths.bulkOperations}>
        Recent bulk operations
      </Link>
      {last ? (
        <p className={styles['quiet']}>
          <Link to={paths.bulkOperation(last.id)}>{changeText(last, titleOf)}</Link>
          <br />
          {resultText(last)} · <bdi>{last.author.name}</bdi>,{' '}
          <Timestamp at={last.ended_at ?? last.created_at} as="short" />
        </p>
      ) : null}
    </>
  );
}
