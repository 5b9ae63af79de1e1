/** The columns for tables of experiments. */
import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { Outcome, outcomeWord } from '../../status/outcome.tsx';
import { StateChip } from '../../status/state-chip.tsx';
import { WithdrawnChip } from '../../status/withdrawn-chip.tsx';
import type { Column } from '../../table/column.ts';
import { Name, NameLink } from '../../ui/name.tsx';
import { calendarDay } from '../../ui/times.ts';
import { ScanDay, Timestamp } from '../../ui/timestamp.tsx';
import type { ExperimentRow } from './experiment-rows.ts';
import { mostUrgentExecution } from './most-urgent-execution.ts';
import styles from './experiment-columns.module.css';

export const runText = (row: ExperimentRow): string => {
  const mostUrgent = mostUrgentExecution(row);
  return mostUrgent ? [outcomeWord(mostUrgent.outcome), mostUrgent.execution?.callback].filter(Boolean).join(' ') : '';
};

export function Run({ row }: { row: ExperimentRow }): ReactNode {
  const mostUrgent = mostUrgentExecution(row);
  if (!mostUrgent) return null;
  return (
    <span className={styles['run']}>
      <Outcome name={mostUrgent.outcome} />
      <Name text={mostUrgent.execution ? mostUrgent.execution.callback : (row.incidents[0]?.detail ?? '')} />
    </span>
  );
}

const attemptText = (row: ExperimentRow): string => String(mostUrgentExecution(row)?.execution?.attempt ?? '');

export const experimentColumns = {
  experiment: {
    id: 'experiment',
    header: 'Experiment',
    csv: ['label'],
    names: true,
    width: '24%',
    text: ({ label }) => label,
    cell: ({ id, label }) => <NameLink text={label} to={paths.experiment(id)} />,
  },
  subject: {
    id: 'subject',
    header: 'Subject',
    csv: ['subject.label'],
    wideOnly: true,
    text: ({ subject }) => subject.label,
    cell: ({ subject }) => <Name text={subject.label} />,
  },
  cohort: {
    id: 'cohort',
    header: 'Cohort',
    csv: ['cohort.label'],
    wideOnly: true,
    width: '15%',
    text: ({ cohort }) => cohort.label,
    cell: ({ cohort }) => <Name text={cohort.label} />,
  },
  workflow: {
    id: 'workflow',
    header: 'Workflow',
    csv: ['workflow.label'],
    wideOnly: true,
    text: ({ workflow }) => workflow.label,
    cell: ({ workflow }) => <Name text={workflow.label} />,
  },
  state: {
    id: 'state',
    header: 'State',
    csv: ['state.label', 'withdrawn'],
    width: '16%',
    text: ({ state, withdrawn }) => (withdrawn === null ? state.label : `${state.label}, withdrawn ${withdrawn}`),
    cell: ({ state, withdrawn }) => (
      <>
        <StateChip state={state} />
        {withdrawn === null ? null : (
          <div className={styles['withdrawn']}>
            <WithdrawnChip date={withdrawn} />
          </div>
        )}
      </>
    ),
  },
  run: {
    id: 'run',
    header: 'Callback',
    csv: ['incidents', 'executions'],
    text: runText,
    cell: (row) => <Run row={row} />,
  },
  scandate: {
    id: 'scandate',
    header: 'Scan date',
    csv: ['scandate'],
    align: 'right',
    wideOnly: true,
    width: '124px',
    text: ({ scandate }) => (scandate === null ? '' : calendarDay(scandate)),
    cell: ({ scandate }) => (scandate === null ? '—' : <ScanDay scandate={scandate} />),
  },
  entered: {
    id: 'entered',
    header: 'In state since',
    csv: ['entered_at'],
    align: 'right',
    width: '128px',
    text: ({ entered_at }) => entered_at ?? '',
    cell: ({ entered_at }) => (entered_at === null ? '—' : <Timestamp at={entered_at} as="past" />),
  },
  attempt: {
    id: 'attempt',
    header: 'Attempt',
    align: 'right',
    wideOnly: true,
    width: '84px',
    text: attemptText,
    cell: attemptText,
  },
} satisfies Record<string, Column<ExperimentRow>>;
