import { Link } from 'react-router';
import { actorWords } from '../../executions/actor-words.ts';
import { isOpen, tookWords, type TimelineAction } from '../../executions/execution-words.ts';
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

function outcomeOf({ end_time, success }: Action, told: TimelineAction | null): OutcomeName {
  if (end_time !== null) return success ? 'success' : 'failed';
  return told?.executions.some((execution) => isOpen(execution) && execution.status === 'waiting')
    ? 'waiting'
    : 'running';
}

export function ActionFacts({ action, told }: { action: Action; told: TimelineAction | null }) {
  const { id, start_time, end_time, retry_of } = action;
  return (
    <Section title="Facts">
      <Facts
        facts={[
          ['Outcome', <Outcome key="outcome" name={outcomeOf(action, told)} />],
          ['Kind', told && kinds[told.kind]],
          ['From', told && told.kind !== 'entry' ? <StateChip state={told.from} /> : null],
          ['To', told && <StateChip state={told.to} />],
          ['Caused', told && <bdi>{actorWords(told.actor)}</bdi>],
          ['Started', <Moment key="start" at={start_time} as="short" />],
          ['Ended', end_time === null ? 'Not yet' : <Moment at={end_time} as="short" />],
          ['Took', end_time === null ? null : tookWords(start_time, end_time)],
          ['Runs again', retry_of && <EarlierAction id={retry_of.id} />],
          ['Number', String(told ? `${told.sequence} of this experiment, id ${id}` : id)],
        ]}
      />
    </Section>
  );
}

const EarlierAction = ({ id }: { id: number }) => (
  <Link className={styles['link']} to={paths.action(id)}>
    what action {id} ran
  </Link>
);
