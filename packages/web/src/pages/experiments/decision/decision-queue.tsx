import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../../paths.ts';
import { count } from '../../../ui/numbers.ts';
import { Timestamp } from '../../../ui/timestamp.tsx';
import type { ExperimentDecision } from './use-decision.ts';
import { useQueueKeys } from './use-queue-keys.ts';
import styles from './decision.module.css';

/** The place of the experiment among all decisions, with the previous and the next one. */
export function DecisionQueue({ decision }: { decision: ExperimentDecision }) {
  useQueueKeys(decision);
  const { position, total, previous, next, due_at: due, overdue } = decision;
  return (
    <nav aria-label="Decisions" className={styles['queue']}>
      {due === null ? null : (
        <span className={overdue ? styles['overdue'] : styles['muted']}>
          {overdue ? 'Overdue: due ' : 'Due '}
          <Timestamp at={due} as="until" />
        </span>
      )}
      <span className={styles['place']}>
        {position === null ? `${count(total)} to decide` : `${count(position)} of ${count(total)} to decide`}
      </span>
      <Neighbour name="Previous" keyName="K" to={previous} />
      <Neighbour name="Next" keyName="J" to={next} />
    </nav>
  );
}

interface NeighbourProps {
  name: string;
  keyName: string;
  to: ExperimentDecision['next'];
}

const Neighbour = ({ name, keyName, to }: NeighbourProps) =>
  to === null ? (
    <Button disabled>{name}</Button>
  ) : (
    <Button
      component={Link}
      to={paths.experiment(to.id)}
      aria-label={`${name} decision: ${to.label}`}
      aria-keyshortcuts={keyName}
    >
      {name} <kbd className={styles['key']}>{keyName}</kbd>
    </Button>
  );
