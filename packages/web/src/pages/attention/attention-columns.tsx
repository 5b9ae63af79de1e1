import { paths } from '../../paths.ts';
import { Outcome } from '../../status/outcome.tsx';
import { StateChip } from '../../status/state-chip.tsx';
import type { Column } from '../../table/column.ts';
import { Name, NameLink } from '../../ui/name.tsx';
import { countOf } from '../../ui/numbers.ts';
import { calendarDay } from '../../ui/times.ts';
import { ScanDay, Timestamp } from '../../ui/timestamp.tsx';
import { tooltip } from '../../ui/tooltip.tsx';
import { kindName, type AttentionItem } from './attention-kinds.ts';
import { RetryButton } from './retry-button.tsx';
import styles from './attention.module.css';

const attempts = ({ kind, attempt }: AttentionItem): string => {
  if (attempt === null || attempt < 2) return '';
  return kind === 'retrying' ? `attempt ${attempt}` : `after ${attempt} attempts`;
};

const NextAttempt = ({ at, isFirst }: { at: string; isFirst: boolean }) => (
  <>
    {isFirst ? 'next ' : ', next '}
    <Timestamp at={at} />
  </>
);

const Cause = ({ item }: { item: AttentionItem }) => (
  <>
    <div>
      <Outcome name={item.kind} word={kindName(item.kind)} /> {attempts(item)}
      {item.next_attempt_at === null ? null : <NextAttempt at={item.next_attempt_at} isFirst={attempts(item) === ''} />}
    </div>
    <div className={styles['what']} dir="auto" {...tooltip(item.what)}>
      {item.what}
    </div>
  </>
);

const OneExperiment = ({ item: { experiment, cohort, scandate } }: { item: AttentionItem }) => (
  <>
    <NameLink text={experiment.label} to={paths.experiment(experiment.id)} />
    <div className={styles['second']}>
      <Name text={cohort.label} /> · <ScanDay scandate={scandate} />
    </div>
  </>
);

/** All experiments that wait in a queue have one line. */
const WaitingExperiments = ({ item: { queue, experiments } }: { item: AttentionItem }) => (
  <>
    <NameLink text={`Queue ${queue}`} to={`${paths.experiments}?status=queued`} />
    <div className={styles['second']}>{countOf(experiments, 'experiment')}</div>
  </>
);

/** How long it has waited and, for a decision with a due time, when it is or was due. */
const Since = ({ item: { since, due_at: due, overdue } }: { item: AttentionItem }) => (
  <>
    <Timestamp at={since} as="past" />
    {due === null ? null : (
      <div className={overdue ? styles['overdue'] : styles['due']}>
        due <Timestamp at={due} />
      </div>
    )}
  </>
);

export const attentionColumns: readonly Column<AttentionItem>[] = [
  {
    id: 'experiment',
    header: 'Experiment',
    names: true,
    width: '20%',
    text: ({ experiment, queue }) => (queue === null ? experiment.label : `Queue ${queue}`),
    cell: (item) => (item.queue === null ? <OneExperiment item={item} /> : <WaitingExperiments item={item} />),
  },
  {
    id: 'state',
    header: 'State',
    width: '16%',
    text: ({ state, queue }) => (queue === null ? state.label : ''),
    cell: ({ state, state_title: label, queue }) =>
      queue === null ? <StateChip state={{ id: state.id, label }} /> : null,
  },
  {
    id: 'what',
    header: 'Cause',
    text: (item) => [kindName(item.kind), attempts(item), item.what].filter((part) => part !== '').join(' · '),
    cell: (item) => <Cause item={item} />,
  },
  {
    id: 'since',
    header: 'Since',
    align: 'right',
    width: '128px',
    text: ({ since }) => since,
    cell: (item) => <Since item={item} />,
  },
  {
    id: 'action',
    header: 'Actions',
    control: true,
    width: '72px',
    text: () => '',
    cell: (item) => <RetryButton item={item} />,
  },
];

/** The CSV has separate columns for the second line of the experiment column. */
export const csvColumns: readonly Column<AttentionItem>[] = attentionColumns.flatMap((column) =>
  column.id === 'experiment'
    ? [
        column,
        {
          id: 'cohort',
          header: 'Cohort',
          text: ({ cohort, queue }) => (queue === null ? cohort.label : ''),
          cell: () => null,
        },
        {
          id: 'due_at',
          header: 'Due',
          text: ({ due_at: due }) => due ?? '',
          cell: () => null,
        },
        {
          id: 'scandate',
          header: 'Scan date',
          text: ({ scandate, queue }) => (scandate === null || queue !== null ? '' : calendarDay(scandate)),
          cell: () => null,
        },
      ]
    : [column],
);
