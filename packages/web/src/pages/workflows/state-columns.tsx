/** The columns for the decisions of a state, and for its experiments if there are none. */
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { BodyOf } from '../../api/operation-query.ts';
import { paths } from '../../paths.ts';
import type { Column } from '../../table/column.ts';
import { Name, NameLink } from '../../ui/name.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { experimentColumns, Run, runText } from '../experiments/experiment-columns.tsx';
import type { ExperimentRow } from '../experiments/experiment-rows.ts';
import styles from './workflow.module.css';

type Item = BodyOf<'listAttention'>['items'][number];

const Due = ({ item: { due_at: due, overdue } }: { item: Item }) =>
  due === null ? (
    '—'
  ) : (
    <span className={overdue ? styles['overdue'] : undefined}>
      <Timestamp at={due} as="due" />
    </span>
  );

const causeText = (row: ExperimentRow): string => row.incidents[0]?.cause ?? runText(row);

/** The cause of an incident, or else the most urgent run. */
const Cause = ({ row }: { row: ExperimentRow }) => {
  const cause = row.incidents[0]?.cause ?? null;
  return cause === null ? <Run row={row} /> : <Name text={cause} />;
};

export const rowColumns: readonly Column<ExperimentRow>[] = [
  { ...experimentColumns.experiment, width: '20%' },
  { ...experimentColumns.cohort, width: '14%' },
  { id: 'cause', header: 'Cause', text: causeText, cell: (row) => <Cause row={row} /> },
  {
    ...experimentColumns.entered,
    header: 'In state',
    cell: ({ entered_at }) => (entered_at === null ? '—' : <Timestamp at={entered_at} as="length" />),
  },
];

export const decisionColumns: readonly Column<Item>[] = [
  {
    id: 'experiment',
    header: 'Experiment',
    names: true,
    width: '20%',
    text: ({ experiment }) => experiment.label,
    cell: ({ experiment }) => <NameLink text={experiment.label} to={paths.experiment(experiment.id)} />,
  },
  {
    id: 'cohort',
    header: 'Cohort',
    wideOnly: true,
    width: '14%',
    text: ({ cohort }) => cohort.label,
    cell: ({ cohort }) => <Name text={cohort.label} />,
  },
  { id: 'cause', header: 'Cause', text: ({ what }) => what, cell: ({ what }) => <Name text={what} /> },
  {
    id: 'since',
    header: 'Waiting',
    align: 'right',
    wideOnly: true,
    width: '112px',
    text: ({ since }) => since,
    cell: ({ since }) => <Timestamp at={since} as="length" />,
  },
  {
    id: 'due',
    header: 'Due',
    align: 'right',
    width: '140px',
    text: ({ due_at: due }) => due ?? '',
    cell: (item) => <Due item={item} />,
  },
  {
    id: 'decide',
    header: 'Actions',
    control: true,
    width: '72px',
    text: () => '',
    cell: ({ experiment: { id, label } }) => (
      <Button
        component={Link}
        className={styles['decide'] ?? ''}
        to={paths.experiment(id)}
        aria-label={`Decide about ${label}`}
      >
        Decide
      </Button>
    ),
  },
];
