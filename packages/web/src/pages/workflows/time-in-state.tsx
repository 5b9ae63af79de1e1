/** How long experiments stayed in each state: a table that opens below the graph. */
import { useState } from 'react';
import { StateMark } from '../../status/state-chip.tsx';
import { useStateLook } from '../../status/use-state-look.tsx';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { Name } from '../../ui/name.tsx';
import { count } from '../../ui/numbers.ts';
import { stayText, timeInStateRows, type TimeInStateRow } from './time-in-state-rows.ts';
import type { StateDurations } from './use-workflow.ts';
import styles from './workflow.module.css';

interface Props {
  durations: readonly StateDurations[];
  cohortId: number | undefined;
  stateId: number | undefined;
}

export function TimeInState({ durations, cohortId, stateId }: Props) {
  const [isOpen, setOpen] = useState(false);
  const rows = timeInStateRows(durations, { cohortId, stateId });
  if (rows.length === 0) return null;
  const most = Math.max(0, ...rows.filter(({ more }) => more).map(({ stays }) => stays));
  return (
    <details className={styles['durations']} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Time in state</summary>
      {isOpen ? (
        <>
          <p>
            Stays that ended in the last 90 days.
            {most > 0 ? ' For states with a plus sign, only the most recent stays are considered.' : null}
          </p>
          <DataTable label="Time in state" columns={columns} rows={rows} rowKey={({ key }) => key} />
        </>
      ) : null}
    </details>
  );
}

function State({ row: { state, cohort } }: { row: TimeInStateRow }) {
  const { title } = useStateLook(state);
  return cohort === undefined ? (
    <span className={styles['stateName']}>
      <StateMark state={state} /> <Name text={title} />
    </span>
  ) : (
    <span className={styles['ofCohort']}>
      <Name text={title} />
    </span>
  );
}

const staysText = ({ stays, more, cohort }: TimeInStateRow) =>
  `${count(stays)}${more && cohort === undefined ? '+' : ''}`;
const lengthText = (seconds: number | null) => (seconds === null ? '—' : stayText(seconds));
const medianText = ({ median_seconds: seconds }: TimeInStateRow) => lengthText(seconds);
const p90Text = ({ p90_seconds: seconds }: TimeInStateRow) => lengthText(seconds);
const cohortText = ({ cohort }: TimeInStateRow) => cohort ?? 'All cohorts';

const columns: readonly Column<TimeInStateRow>[] = [
  { id: 'state', header: 'State', names: true, text: ({ state }) => state.label, cell: (row) => <State row={row} /> },
  { id: 'cohort', header: 'Cohort', text: cohortText, cell: (row) => <Name text={cohortText(row)} /> },
  { id: 'median', header: 'Median', align: 'right', width: '140px', text: medianText, cell: medianText },
  { id: 'p90', header: '90% within', align: 'right', width: '140px', text: p90Text, cell: p90Text },
  { id: 'stays', header: 'Stays', align: 'right', width: '112px', text: staysText, cell: staysText },
];
