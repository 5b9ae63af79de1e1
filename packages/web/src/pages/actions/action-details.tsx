import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { actorName } from '../../status/action-title.tsx';
import { isOpen, elapsedText, type TimelineAction } from '../../status/execution-text.ts';
import { Outcome, type OutcomeName } from '../../status/outcome.tsx';
import { StateChip } from '../../status/state-chip.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Section } from '../../ui/section.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import type { Action } from './use-action.ts';
import styles from './action.module.css';

const kinds: Readonly<Record<TimelineAction['kind'], string>> = {
  entry: 'Creation',
  move: 'Move',
  retry: 'Retry',
  correction: 'Correction',
};

function outcomeOf({ end_time, success }: Action, timelineAction: TimelineAction | null): OutcomeName {
  if (end_time !== null) return success ? 'success' : 'failed';
  return timelineAction?.executions.some((execution) => isOpen(execution) && execution.status === 'waiting')
    ? 'waiting'
    : 'running';
}

interface Props {
  action: Action;
  timelineAction: TimelineAction | null;
}

export function ActionDetails({ action, timelineAction }: Props) {
  const { id, start_time, end_time, retry_of } = action;
  return (
    <Section title="Details">
      <DescriptionList
        items={[
          ['Outcome', <Outcome key="outcome" name={outcomeOf(action, timelineAction)} />],
          ['Kind', timelineAction && kinds[timelineAction.kind]],
          [
            'From',
            timelineAction && timelineAction.kind !== 'entry' ? <StateChip state={timelineAction.from} /> : null,
          ],
          ['To', timelineAction && <StateChip state={timelineAction.to} />],
          ['Triggered by', timelineAction && <bdi>{actorName(timelineAction.actor)}</bdi>],
          ['Started', <Timestamp key="start" at={start_time} as="short" />],
          ['Finished', end_time === null ? 'Not yet' : <Timestamp at={end_time} as="short" />],
          ['Duration', end_time === null ? null : elapsedText(start_time, end_time)],
          ['Retry of', retry_of && <EarlierAction id={retry_of.id} />],
          ['Sequence number', timelineAction && String(timelineAction.sequence)],
          ['ID', String(id)],
        ]}
      />
    </Section>
  );
}

const EarlierAction = ({ id }: { id: number }) => (
  <Link className={styles['link']} to={paths.action(id)}>
    View action
  </Link>
);
