import { Link } from 'react-router';
import { experimentsWith } from '../../query/query-path.ts';
import { paths } from '../../paths.ts';
import { errorBeside, shortError } from '../../status/cause.tsx';
import { Outcome } from '../../status/outcome.tsx';
import { Assignee } from '../../follow-ups/assignee.tsx';
import { SnoozeText } from '../../follow-ups/follow-up-section.tsx';
import { StateMark } from '../../status/state-chip.tsx';
import { useStateLook } from '../../status/use-state-look.tsx';
import type { Column } from '../../table/column.ts';
import { Name, NameLink } from '../../ui/name.tsx';
import { count, countOf } from '../../ui/numbers.ts';
import { ScanDay, Timestamp } from '../../ui/timestamp.tsx';
import { tooltip } from '../../ui/tooltip.tsx';
import { useDecisionPath } from '../experiments/decision/use-decision-filter.ts';
import { kindName, type AttentionGroup, type AttentionItem } from './attention-kinds.ts';
import { sizeOf, type AttentionRow } from './attention-rows.ts';
import { useLinkTo } from './attention-filters.tsx';
import { RowActions } from './row-actions.tsx';
import { useRowDialog } from './row-dialogs.tsx';
import { UsualStay } from './usual-stays.tsx';
import styles from './attention.module.css';

const attempts = ({ kind, attempt }: AttentionItem): string => {
  if (attempt === null || attempt < 2) return '';
  return kind === 'retrying' ? `attempt ${attempt}` : `after ${attempt} attempts`;
};

const NextAttempt = ({ at, isFirst }: { at: string; isFirst: boolean }) => (
  <>
    {isFirst ? 'next ' : ', next '}
    <Timestamp at={at} as="until" />
  </>
);

/** The cause first, then the outcome with the status code or the error. */
function Cause({ item }: { item: AttentionRow }) {
  const shown = item.group?.title ?? item.what;
  const error = errorBeside(item);
  return (
    <>
      <div className={styles['what']} dir="auto" {...tooltip(shown)}>
        {shown}
      </div>
      <div className={styles['second']}>
        {item.kind === 'decide' ? null : <Outcome name={item.kind} word={kindName(item.kind)} />}
        {item.queue === null ? <InState state={item.state} /> : null} {item.group ? null : attempts(item)}
        {item.next_attempt_at === null ? null : (
          <NextAttempt at={item.next_attempt_at} isFirst={attempts(item) === ''} />
        )}
        {error === null ? null : (
          <span className={styles['error']} dir="auto" {...tooltip(error)}>
            · {shortError(error)}
          </span>
        )}
        {item.snooze ? (
          <span className={styles['error']} dir="auto">
            · snoozed <SnoozeText snooze={item.snooze} />
          </span>
        ) : null}
        <FailedRun item={item} />
      </div>
    </>
  );
}

/** A group has many runs, a wait has none that failed, and the cause of a decision may be about values instead of its run. */
const hasRun = ({ kind, group, attempt }: AttentionRow): boolean =>
  !group && kind !== 'waiting' && kind !== 'blocked' && (kind !== 'decide' || attempt !== null);

const FailedRun = ({ item }: { item: AttentionRow }) =>
  item.execution_id === null || !hasRun(item) ? null : (
    <Link className={styles['run'] ?? ''} to={paths.execution(item.execution_id)}>
      View run {item.execution_id}
    </Link>
  );

const New = ({ text }: { text: string }) => (text === '' ? null : <span className={styles['new']}>{text}</span>);

/** All experiments whose runs failed for one cause have one line. */
function FailedExperiments({ group }: { group: AttentionGroup }) {
  const linkTo = useLinkTo();
  return (
    <>
      <NameLink text={group.callback} to={linkTo({ cause_group: group.cause_group })} />{' '}
      <New text={group.new === 0 ? '' : `${count(group.new)} new`} />
      <div className={styles['second']}>{sizeOf(group)}</div>
    </>
  );
}

function Subject({ item }: { item: AttentionRow }) {
  if (item.group) return <FailedExperiments group={item.group} />;
  return item.queue === null ? <OneExperiment item={item} /> : <WaitingExperiments item={item} />;
}

function OneExperiment({ item: { kind, experiment, cohort, scandate, is_new: isNew } }: { item: AttentionItem }) {
  const decisionPath = useDecisionPath();
  const to = kind === 'decide' ? decisionPath(experiment.id) : paths.experiment(experiment.id);
  return (
    <>
      <NameLink text={experiment.label} to={to} /> <New text={isNew ? 'New' : ''} />
      <div className={styles['second']}>
        <Name text={cohort.label} /> · <ScanDay scandate={scandate} />
      </div>
    </>
  );
}

/** All experiments that wait in a queue have one line. */
const WaitingExperiments = ({ item: { queue, experiments } }: { item: AttentionItem }) => (
  <>
    <NameLink text={`Queue ${queue}`} to={experimentsWith({ run: 'queued' })} />
    <div className={styles['second']}>{countOf(experiments, 'experiment')}</div>
  </>
);

/** How long it has waited and when it is or was due, or else how long experiments usually stay in its state. */
const Since = ({ item, item: { since, due_at: due, overdue } }: { item: AttentionRow }) => (
  <>
    <Timestamp at={since} as="length" />
    <UsualStay item={item} />
    {due === null ? null : (
      <div className={overdue ? styles['overdue'] : styles['due']}>
        {overdue ? '' : 'due '}
        <Timestamp at={due} as="due" />
      </div>
    )}
  </>
);

/** A group and a queue are about many experiments. */
function AssignedTo({ item }: { item: AttentionRow }) {
  const open = useRowDialog();
  if (item.queue !== null || item.group) return null;
  return <Assignee followed={item} onAssign={() => open({ dialog: 'assign', item })} />;
}

/** On the second line. The overview lists decisions by state, so it hides theirs. */
function InState({ state }: { state: AttentionItem['state'] }) {
  const { title } = useStateLook(state);
  return (
    <span className={styles['inState']}>
      <StateMark state={state} /> <Name text={title} />
    </span>
  );
}

export const attentionColumns: readonly Column<AttentionRow>[] = [
  {
    id: 'experiment',
    header: 'Experiment',
    names: true,
    width: '20%',
    text: ({ experiment, queue }) => (queue === null ? experiment.label : `Queue ${queue}`),
    cell: (item) => <Subject item={item} />,
  },
  {
    id: 'what',
    header: 'Cause',
    broad: true,
    text: ({ what }) => what,
    cell: (item) => <Cause item={item} />,
  },
  {
    id: 'since',
    header: 'Waiting',
    align: 'right',
    width: '140px',
    text: ({ since }) => since,
    cell: (item) => <Since item={item} />,
  },
  {
    id: 'assignee',
    header: 'Assigned to',
    width: '14%',
    text: ({ assignee }) => assignee?.name ?? '',
    cell: (item) => <AssignedTo item={item} />,
  },
  {
    id: 'action',
    header: 'Actions',
    control: true,
    width: 'clamp(148px, 20vw, 270px)',
    text: () => '',
    cell: (item) => <RowActions item={item} />,
  },
];

/** The columns of the CSV, which has a line for each item. */
export const csvColumns = [
  'experiment.label',
  'queue',
  'state.label',
  'cohort.label',
  'scandate',
  'kind',
  'what',
  'error',
  'attempt',
  'since',
  'due_at',
  'assignee.name',
];
