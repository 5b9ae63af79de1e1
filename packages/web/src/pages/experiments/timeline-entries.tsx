import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { ExecutionLines } from '../../status/execution-line.tsx';
import type { TimelineAction, TimelineExecution } from '../../status/execution-text.ts';
import { outcomeWord } from '../../status/outcome.tsx';
import { StateChip } from '../../status/state-chip.tsx';
import { Icon } from '../../ui/icon.tsx';
import { NameLink } from '../../ui/name.tsx';
import { useNow } from '../../ui/now.ts';
import { preciseDurationText, secondsBetween } from '../../ui/times.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import { isPlaced, leftAt } from './time-in-state.ts';
import { entryText, isUneventful } from './timeline-entry-text.ts';
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

interface EntryProps {
  action: TimelineAction;
  left: string | undefined;
}

const Entry = ({ action, left }: EntryProps) => {
  const hasLines = !isUneventful(action) && action.executions.length > 0;
  return (
    <li className={styles['entry']}>
      <Link className={styles['state']} to={paths.action(action.id)}>
        <StateChip state={action.to} />
      </Link>
      <div className={styles['what']}>
        <Author action={action} />
        {hasLines ? null : <SucceededRuns executions={action.executions} />}
        <Reason action={action} />
      </div>
      <span className={styles['time']}>
        <Timestamp at={action.start_time} as="exact" />
      </span>
      <Stay action={action} left={left} />
      {hasLines ? (
        <div className={styles['runs']}>
          <ExecutionLines executions={action.executions} inside />
        </div>
      ) : null}
    </li>
  );
};

function Author({ action }: Pick<EntryProps, 'action'>) {
  const { verb, actor, isName } = entryText(action);
  return (
    <span className={styles['author']}>
      {verb} <bdi className={isName ? styles['name'] : undefined}>{actor}</bdi>
    </span>
  );
}

const SucceededRuns = ({ executions }: { executions: readonly TimelineExecution[] }) =>
  executions.length === 0 ? null : (
    <span className={styles['succeeded']}>
      <span className={styles['success']}>
        <Icon name="success" />
        <span className={styles['word']}>{outcomeWord('success')}</span>
      </span>
      {executions.map(({ id, callback }) => (
        <NameLink key={id} text={callback} to={paths.execution(id)} />
      ))}
    </span>
  );

const Reason = ({ action }: Pick<EntryProps, 'action'>) => (
  <>
    {action.freetext === '' ? null : (
      <p className={styles['reason']} dir="auto">
        “{action.freetext}”
      </p>
    )}
    {isPlaced(action) ? <p className={styles['note']}>This correction ran no callbacks.</p> : null}
  </>
);

/** How long the experiment was in the state, or has been so far. */
function Stay({ action, left }: EntryProps) {
  const now = useNow();
  if (action.kind === 'retry') return null;
  const until = left === undefined ? now : new Date(left);
  return <span className={styles['stay']}>{preciseDurationText(secondsBetween(action.start_time, until))}</span>;
}
