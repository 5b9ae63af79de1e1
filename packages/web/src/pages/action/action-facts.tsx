import { Link } from 'react-router';
import { actorWords } from '../../executions/actor-words.ts';
import { isOpen, elapsedWords, type TimelineAction } from '../../executions/execution-words.ts';
import { Facts } from '../../shown/facts.tsx';
import { Moment } from '../../shown/moment.tsx';
import { Outcome, type OutcomeName } from '../../shown/outcome.tsx';
import { Section } from '../../shown/section.tsx';
import { StateChip } from '../../shown/state-chip.tsx';
import { paths } from '../../paths.ts';
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

export function ActionFacts({ action, timelineAction }: Props) {
  const { id, start_time, end_time, retry_of } = action;
  return (
    <Section title="Details">
      <Facts
        facts={[
          ['Outcome', <Outcome key="outcome" name={outcomeOf(action, timelineAction)} />],
          ['Kind', timelineAction && kinds[timelineAction.kind]],
          [
            'From',
            timelineAction && timelineAction.kind !== 'entry' ? <StateChip state={timelineAction.from} /> : null,
          ],
          ['To', timelineAction && <StateChip state={timelineAction.to} />],
          ['Triggered', timelineAction && <bdi>{actorWords(timelineAction.actor)}</bdi>],
          ['Started', <Moment key="start" at={start_time} as="short" />],
          ['Finished', end_time === null ? 'Not yet' : <Moment at={end_time} as="short" />],
          ['Duration', end_time === null ? null : elapsedWords(start_time, end_time)],
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
    Action {id}
  </Link>
);
