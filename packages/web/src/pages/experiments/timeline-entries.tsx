import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { ActionTitle, actorText } from '../../status/action-title.tsx';
import { ExecutionLines } from '../../status/execution-line.tsx';
import type { TimelineAction } from '../../status/execution-text.ts';
import { StateSquare } from '../../status/state-chip.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import type { useTimeline } from './use-experiment.ts';
import styles from './timeline-entries.module.css';

interface Props {
  of: ReturnType<typeof useTimeline>;
}

export const TimelineEntries = ({ of: { actions, isLoadingOlder, showOlder } }: Props) => (
  <>
    <ol className={styles['timeline']}>
      {actions.map((action) => (
        <Entry key={action.id} action={action} />
      ))}
    </ol>
    {showOlder ? (
      <Button variant="subtle" loading={isLoadingOlder} onClick={showOlder}>
        Show older
      </Button>
    ) : null}
  </>
);

const Entry = ({ action }: { action: TimelineAction }) => (
  <li className={styles['entry']}>
    <span className={styles['mark']}>
      <StateSquare id={action.to.id} />
    </span>
    <div className={styles['head']}>
      <Link className={styles['title']} to={paths.action(action.id)}>
        <ActionTitle action={action} />
      </Link>
      <span className={styles['actor']}>
        <bdi>{actorText(action.actor)}</bdi>
      </span>
      <span className={styles['time']}>
        <Timestamp at={action.start_time} as="short" />
      </span>
    </div>
    {action.freetext === '' ? null : (
      <p className={styles['reason']} dir="auto">
        “{action.freetext}”
      </p>
    )}
    {action.executions.length === 0 ? null : (
      <div className={styles['runs']}>
        <ExecutionLines executions={action.executions} inside />
      </div>
    )}
  </li>
);
