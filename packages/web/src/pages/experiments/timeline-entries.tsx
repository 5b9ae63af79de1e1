import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { ActionTitle, actorText } from '../../status/action-title.tsx';
import { ExecutionLines } from '../../status/execution-line.tsx';
import type { TimelineAction } from '../../status/execution-text.ts';
import { StateMark } from '../../status/state-chip.tsx';
import { useNow } from '../../ui/now.ts';
import { preciseDurationText, secondsBetween } from '../../ui/times.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import { isPlaced, leftAt } from './time-in-state.ts';
import type { useTimeline } from './use-experiment.ts';
import styles from './timeline-entries.module.css';

interface Props {
  of: ReturnType<typeof useTimeline>;
}

export const TimelineEntries = ({ of: { actions, isLoadingOlder, showOlder } }: Props) => (
  <>
    <ol className={styles['timeline']}>
      {actions.map((action) => (
        <Entry key={action.id} action={action} left={leftAt(actions, action)} />
      ))}
    </ol>
    {showOlder ? (
      <Button variant="subtle" loading={isLoadingOlder} onClick={showOlder}>
        Show older
      </Button>
    ) : null}
  </>
);

/** How long the experiment was in the state, or has been so far. */
function Stay({ action, left }: EntryProps) {
  const now = useNow();
  if (action.kind === 'retry') return null;
  const isCurrent = left === undefined;
  const time = preciseDurationText(secondsBetween(action.start_time, isCurrent ? now : new Date(left)));
  return <span className={styles['stay']}>{isCurrent ? `${time} so far` : time}</span>;
}

interface EntryProps {
  action: TimelineAction;
  left: string | undefined;
}

const Entry = ({ action, left }: EntryProps) => (
  <li className={styles['entry']}>
    <span className={styles['mark']}>
      <StateMark state={action.to} />
    </span>
    <div className={styles['head']}>
      <Link className={styles['title']} to={paths.action(action.id)}>
        <ActionTitle action={action} />
      </Link>
      <span className={styles['actor']}>
        <bdi>{actorText(action.actor)}</bdi>
      </span>
      <span className={styles['time']}>
        <Timestamp at={action.start_time} as="exact" />
      </span>
      <Stay action={action} left={left} />
    </div>
    {action.freetext === '' ? null : (
      <p className={styles['reason']} dir="auto">
        “{action.freetext}”
      </p>
    )}
    {isPlaced(action) ? <p className={styles['reason']}>Set by a correction. No callbacks ran.</p> : null}
    {action.executions.length === 0 ? null : (
      <div className={styles['runs']}>
        <ExecutionLines executions={action.executions} inside />
      </div>
    )}
  </li>
);
