import { paths } from '../../paths.ts';
import { Outcome } from '../../status/outcome.tsx';
import { StateChip } from '../../status/state-chip.tsx';
import type { Column } from '../../table/column.ts';
import { Name, NameLink } from '../../ui/name.tsx';
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

export const attentionColumns: readonly Column<AttentionItem>[] = [
  {
    id: 'experiment',
    header: 'Experiment',
    names: true,
    width: '20%',
    text: ({ experiment }) => experiment.label,
    cell: ({ experiment, cohort, scandate }) => (
      <>
        <NameLink text={experiment.label} to={paths.experiment(experiment.id)} />
        <div className={styles['second']}>
          <Name text={cohort.label} /> · <ScanDay scandate={scandate} />
        </div>
      </>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: '16%',
    text: ({ state }) => state.label,
    cell: ({ state }) => <StateChip state={state} />,
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
    cell: ({ since }) => <Timestamp at={since} as="past" />,
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
        { id: 'cohort', header: 'Cohort', text: ({ cohort }) => cohort.label, cell: () => null },
        {
          id: 'scandate',
          header: 'Scan date',
          text: ({ scandate }) => (scandate === null ? '' : calendarDay(scandate)),
          cell: () => null,
        },
      ]
    : [column],
);
