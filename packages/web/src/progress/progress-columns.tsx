/** The experiments of cohorts or workflows in a list of them. */
import type { BodyOf } from '../api/operation-query.ts';
import type { Column } from '../table/column.ts';
import { count, countOf } from '../ui/numbers.ts';
import { Timestamp } from '../ui/timestamp.tsx';
import { ProgressBar } from './progress-bar.tsx';
import styles from './progress-columns.module.css';

type Row = Pick<BodyOf<'listCohortRows'>['cohorts'][number], 'experiments' | 'progress' | 'last_activity'>;

const experimentsIn = ({ progress }: Row, wanted: Row['progress'][number]['part']) =>
  progress.find(({ part }) => part === wanted)?.experiments ?? 0;

const Attention = ({ of: row }: { of: Row }) => {
  const number = experimentsIn(row, 'attention');
  return <span className={number === 0 ? styles['zero'] : styles['attention']}>{count(number)}</span>;
};

export const progressColumns: readonly Column<Row>[] = [
  {
    id: 'experiments',
    header: 'Experiments',
    align: 'right',
    width: '128px',
    wideOnly: true,
    text: ({ experiments }) => String(experiments),
    cell: ({ experiments }) => count(experiments),
  },
  {
    id: 'progress',
    header: 'Progress',
    text: (row) =>
      String(row.experiments === 0 ? 0 : Math.round((1000 * experimentsIn(row, 'good')) / row.experiments)),
    cell: (row) => (
      <>
        <ProgressBar progress={row.progress} isThin />
        <span className={styles['narrow']}>
          {countOf(row.experiments, 'experiment')}
          {experimentsIn(row, 'attention') === 0 ? null : (
            <>
              {', '}
              <Attention of={row} /> need attention
            </>
          )}
        </span>
      </>
    ),
  },
  {
    id: 'attention',
    header: 'Needs attention',
    align: 'right',
    width: '148px',
    wideOnly: true,
    text: (row) => String(experimentsIn(row, 'attention')),
    cell: (row) => <Attention of={row} />,
  },
  {
    id: 'activity',
    header: 'Last activity',
    align: 'right',
    width: '132px',
    wideOnly: true,
    text: ({ last_activity: at }) => at ?? '',
    cell: ({ last_activity: at }) => (at === null ? '–' : <Timestamp at={at} />),
  },
];
