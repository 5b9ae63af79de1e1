/** The columns of the matrix: the subject, its experiment of each visit, other experiments, and what is done. */
import { paths } from '../../paths.ts';
import { WithdrawnChip } from '../../status/withdrawn-chip.tsx';
import type { StateLook } from '../../status/state-looks.ts';
import type { Column } from '../../table/column.ts';
import { NameLink } from '../../ui/name.tsx';
import { count } from '../../ui/numbers.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import { MatrixCell } from './matrix-cell.tsx';
import { doneOf, expectedOf, experimentOf, firstGap, otherExperiments } from './matrix-row.ts';
import type { CohortSummary, MatrixExperiment, MatrixSubject } from './use-cohort.ts';
import styles from './matrix.module.css';

type Visit = CohortSummary['visits'][number];
type SubjectColumn = Column<MatrixSubject>;

const subjectColumn: SubjectColumn = {
  id: 'subject',
  header: 'Subject',
  names: true,
  width: '120px',
  text: ({ label }) => label,
  cell: ({ id, label, withdrawn }) => (
    <span className={styles['subject']} data-withdrawn={withdrawn ? true : undefined}>
      <NameLink text={label} to={paths.subject(id)} />
    </span>
  ),
};

const Withdrawal = ({ of: { withdrawn } }: { of: MatrixSubject }) =>
  withdrawn ? <WithdrawnChip date={withdrawn.date} erased={withdrawn.erased_at !== null} /> : null;

const Gap = () => (
  <span className={styles['gap']}>
    <span aria-hidden="true">–</span>
    <span className={styles['unseen']}>Missing</span>
  </span>
);

function VisitCell({ subject, visit, gap }: { subject: MatrixSubject; visit: string; gap: string | undefined }) {
  const experiment = experimentOf(subject, visit);
  const shown = experiment ? <MatrixCell experiment={experiment} /> : null;
  const missing = subject.withdrawn ? gap === visit ? <Withdrawal of={subject} /> : null : <Gap />;
  return (
    <>
      <span className={styles['narrowHead']}>
        <bdi>{visit}</bdi>
      </span>
      {shown ?? missing}
    </>
  );
}

const VisitHead = ({ visit: { visit, subjects }, present }: { visit: Visit; present: number }) => {
  const missing = Math.max(0, present - subjects);
  return (
    <>
      <span className={styles['headLine']}>
        <bdi className={styles['headName']}>{visit}</bdi> {count(Math.min(subjects, present))} of {count(present)}
      </span>
      <span className={styles['headGaps']}>{missing === 0 ? 'none missing' : `${count(missing)} missing`}</span>
    </>
  );
};

const visitColumn = (
  visit: Visit,
  { present, places }: { present: number; places: readonly string[] },
): SubjectColumn => ({
  id: `visit-${visit.visit}`,
  header: visit.visit,
  head: <VisitHead visit={visit} present={present} />,
  text: (subject) => experimentOf(subject, visit.visit)?.state.label ?? '',
  cell: (subject) => <VisitCell subject={subject} visit={visit.visit} gap={firstGap(subject, places)} />,
});

const OtherHead = () => (
  <>
    <span className={styles['headName']}>Other</span>
    <span className={styles['headGaps']}>labels of fewer than 20% of subjects</span>
  </>
);

const otherColumn = (visits: readonly string[]): SubjectColumn => ({
  id: 'other',
  header: 'Other',
  head: visits.length === 0 ? <span className={styles['headName']}>Experiments</span> : <OtherHead />,
  text: () => '',
  cell: (subject) => (
    <>
      {visits.length === 0 ? <Withdrawal of={subject} /> : null}
      <Others experiments={otherExperiments(subject, visits)} />
    </>
  ),
});

const Others = ({ experiments }: { experiments: readonly MatrixExperiment[] }) => (
  <span className={styles['others']}>
    {experiments.map((experiment) => (
      <MatrixCell key={experiment.id} experiment={experiment} isNamed />
    ))}
  </span>
);

export interface Done {
  title: string;
  goodOnly: boolean;
  lookOf: (state: MatrixExperiment['state']) => StateLook;
}

const doneColumn = (visits: readonly string[], places: readonly string[], done: Done): SubjectColumn => ({
  id: 'done',
  header: done.title,
  align: 'right',
  width: '192px',
  text: (subject) => String(doneOf(subject, done)),
  cell: (subject) =>
    subject.withdrawn ? (
      <WithdrawnCell subject={subject} places={places} />
    ) : (
      <DoneCell subject={subject} visits={visits} done={done} />
    ),
});

/** The withdrawal, unless a shown column has it. */
const WithdrawnCell = ({ subject, places }: { subject: MatrixSubject; places: readonly string[] }) =>
  firstGap(subject, places) === undefined ? <Withdrawal of={subject} /> : <span className={styles['gap']}>–</span>;

function DoneCell({ subject, visits, done }: { subject: MatrixSubject; visits: readonly string[]; done: Done }) {
  const [finished, expected] = [doneOf(subject, done), expectedOf(subject, visits)];
  return (
    <span className={styles['done']}>
      <span className={styles['doneBar']} aria-hidden="true">
        <i style={{ width: `${(100 * finished) / expected}%` }} />
      </span>
      {finished} of {expected}
    </span>
  );
}

const activityColumn: SubjectColumn = {
  id: 'activity',
  header: 'Last activity',
  align: 'right',
  width: '116px',
  wideOnly: true,
  text: ({ last_activity: at }) => at ?? '',
  cell: ({ last_activity: at }) => <span className={styles['ago']}>{at === null ? '–' : <Timestamp at={at} />}</span>,
};

interface Of {
  summary: CohortSummary;
  /** Those that fit beside each other. */
  shown: readonly Visit[];
  hasOthers: boolean;
  done: Done;
}

export function matrixColumns({ summary, shown, hasOthers, done }: Of): SubjectColumn[] {
  const visits = summary.visits.map(({ visit }) => visit);
  const places = shown.map(({ visit }) => visit);
  const present = summary.subjects - summary.withdrawn;
  return [
    subjectColumn,
    ...shown.map((visit) => visitColumn(visit, { present, places })),
    ...(hasOthers ? [otherColumn(visits)] : []),
    ...(visits.length > 0 ? [doneColumn(visits, places, done)] : []),
    activityColumn,
  ];
}
