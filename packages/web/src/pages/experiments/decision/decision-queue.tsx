import { Button } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { paths } from '../../../paths.ts';
import { count } from '../../../ui/numbers.ts';
import { Icon } from '../../../ui/icon.tsx';
import { useNow } from '../../../ui/now.ts';
import { durationText, secondsBetween } from '../../../ui/times.ts';
import { Timestamp } from '../../../ui/timestamp.tsx';
import { queueKeys } from './choose-keys.ts';
import type { ExperimentDecision } from './use-decision.ts';
import { useKeys } from './use-keys.ts';
import styles from './decision.module.css';

/** The place of the experiment among all decisions, with the previous and the next one. */
export function DecisionQueue({ decision }: { decision: ExperimentDecision }) {
  const navigate = useNavigate();
  const open = (to: ExperimentDecision['next']) => () => to && void navigate(paths.experiment(to.id));
  const { position, total, previous, next } = decision;
  useKeys({ [queueKeys.next]: open(next), [queueKeys.previous]: open(previous) });
  return (
    <nav aria-label="Decisions" className={styles['queue']}>
      <span className={styles['place']}>
        {position === null ? `${count(total)} to decide` : `${count(position)} of ${count(total)} to decide`}
      </span>
      <Neighbour name="Previous" keyName={queueKeys.previous} to={previous} />
      <Neighbour name="Next" keyName={queueKeys.next} to={next} />
    </nav>
  );
}

/** `1 d 2 h overdue`. */
export function Overdue({ decision: { due_at: due, overdue } }: { decision: ExperimentDecision }) {
  const now = useNow();
  if (due === null || !overdue) return null;
  return (
    <span className={styles['overdue']}>
      <Icon name="timed_out" />
      {durationText(secondsBetween(due, now))} overdue
    </span>
  );
}

/** `Due in 2 d`. */
export const Due = ({ decision: { due_at: due } }: { decision: ExperimentDecision }) =>
  due === null ? null : (
    <span>
      Due <Timestamp at={due} as="until" />
    </span>
  );

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
      {name}{' '}
      <kbd className={styles['key']} aria-hidden="true">
        {keyName.toUpperCase()}
      </kbd>
    </Button>
  );
