import { Button } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { count } from '../../../ui/numbers.ts';
import { Icon } from '../../../ui/icon.tsx';
import { useNow } from '../../../ui/now.ts';
import { durationText, secondsBetween } from '../../../ui/times.ts';
import { Timestamp } from '../../../ui/timestamp.tsx';
import { unavailable } from '../../../ui/unavailable.ts';
import { queueKeys } from './choose-keys.ts';
import type { ExperimentDecision } from './use-decision.ts';
import { useDecisionFilter, useDecisionPath } from './use-decision-filter.ts';
import { useKeys } from '../../../ui/use-keys.ts';
import styles from './decision.module.css';

/** The place of the experiment among the decisions of the list that it was opened from, with the previous and the next one. */
export function DecisionQueue({ decision }: { decision: ExperimentDecision }) {
  const navigate = useNavigate();
  const pathOf = useDecisionPath();
  const isFiltered = Object.values(useDecisionFilter()).some((value) => value !== undefined);
  const where = isFiltered ? 'in this list' : 'to decide';
  const open = (to: ExperimentDecision['next']) => () => to && void navigate(pathOf(to.id));
  const { position, total, previous, next } = decision;
  useKeys({ [queueKeys.next]: open(next), [queueKeys.previous]: open(previous) });
  return (
    <nav aria-label="Decisions" className={styles['queue']}>
      <span className={styles['place']}>
        {position === null ? `${count(total)} ${where}` : `${count(position)} of ${count(total)} ${where}`}
      </span>
      <Neighbour name="Previous" none="This is the first decision." keyName={queueKeys.previous} to={previous} />
      <Neighbour name="Next" none="This is the last decision." keyName={queueKeys.next} to={next} />
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
  /** Why there is no other decision. */
  none: string;
  keyName: string;
  to: ExperimentDecision['next'];
}

function Neighbour({ name, none, keyName, to }: NeighbourProps) {
  const pathOf = useDecisionPath();
  return to === null ? (
    <Button {...unavailable(none)}>{name}</Button>
  ) : (
    <Button
      component={Link}
      to={pathOf(to.id)}
      aria-label={`${name} decision: ${to.label}`}
      aria-keyshortcuts={keyName}
    >
      {name}{' '}
      <kbd className={styles['key']} aria-hidden="true">
        {keyName.toUpperCase()}
      </kbd>
    </Button>
  );
}
