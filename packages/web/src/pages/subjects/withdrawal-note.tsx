import { useQuery } from '@tanstack/react-query';
import { QueryErrors } from '../../ui/query-result.tsx';
import { Name } from '../../ui/name.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { withdrawalQuery } from './withdrawal-query.ts';
import styles from './subject.module.css';

/** Who withdrew the subject, when and why. */
export function WithdrawalNote({ id }: { id: number }) {
  const withdrawal = useQuery(withdrawalQuery(id));
  const withdrawn = withdrawal.data?.withdrawn;
  if (!withdrawn) return <QueryErrors queries={[withdrawal]} />;
  return (
    <p className={styles['note']}>
      Withdrawn{withdrawn.by ? ' by ' : ''}
      {withdrawn.by ? <Name text={withdrawn.by.name} /> : null}
      {withdrawn.recorded_at === null ? null : (
        <>
          , <Timestamp at={withdrawn.recorded_at} as="past" />
        </>
      )}
      . Its experiments no longer move.{withdrawn.reason === null ? null : <> Reason: “{withdrawn.reason}”</>}
    </p>
  );
}
