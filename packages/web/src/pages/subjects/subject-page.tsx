/** One subject: its cohort, external IDs and experiments. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { operationQuery, type BodyOf, type Touches } from '../../api/operation-query.ts';
import { ExternalIdsSection } from '../../external-ids/external-ids-section.tsx';
import { paths } from '../../paths.ts';
import { WithdrawnChip } from '../../status/withdrawn-chip.tsx';
import { PagedTable } from '../../table/paged-table.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Section } from '../../ui/section.tsx';
import { experimentColumns } from '../experiments/experiment-columns.tsx';
import { useExperimentRows } from '../experiments/use-experiment-rows.ts';
import { ResourcePage } from '../resource-page.tsx';
import { NewExperiment } from '../experiments/experiment-forms.tsx';
import { SubjectActions } from './subject-actions.tsx';
import { WithdrawalNote } from './withdrawal-note.tsx';
import { EditSubject } from './subject-forms.tsx';
import styles from './subject.module.css';

/** Without the experiments, which have their own query. */
const fields = '{id,label,date_of_birth,cohort,external_ids,withdrawn}';
type SubjectHead = Pick<
  BodyOf<'getSubject'>,
  'id' | 'label' | 'date_of_birth' | 'cohort' | 'external_ids' | 'withdrawn'
>;

const touchesSubject =
  (id: number): Touches =>
  ({ object_kind, object_id, cohort_id }, data) =>
    (object_kind === 'subject' && object_id === id) ||
    (object_kind === 'cohort' && cohort_id === (data as SubjectHead | undefined)?.cohort.id);

const useSubject = (id: number) =>
  useQuery<SubjectHead>(operationQuery('getSubject', { params: { id }, fields }, touchesSubject(id)));

export const SubjectPage = () => <ResourcePage of={(id) => <Subject key={id} id={id} />} />;

function Subject({ id }: { id: number }) {
  const subject = useSubject(id);
  const experiments = useExperimentRows({ subject_id: id });
  useTitle(subject.data?.label);
  return (
    <>
      <PageHead
        title={<Title subject={subject.data} />}
        about={subject.data ? <About subject={subject.data} /> : undefined}
      >
        {subject.data ? (
          <>
            <SubjectActions subject={subject.data} />
            <EditSubject subject={subject.data} />
            {experiments.rows.length > 0 ? <NewExperiment subject={subject.data} /> : null}
          </>
        ) : null}
      </PageHead>
      {subject.data?.withdrawn ? <WithdrawalNote id={id} /> : null}
      {subject.error ? null : <Experiments of={experiments} subject={subject.data} />}
      <QueryResult query={subject} what="the subject">
        {(data) => <ExternalIds subject={data} />}
      </QueryResult>
    </>
  );
}

/** Shows the date of birth as stored, without time zone conversion. */
const About = ({ subject: { cohort, date_of_birth: born } }: { subject: SubjectHead }) => (
  <>
    Subject of{' '}
    <Link className={styles['cohort']} to={paths.cohort(cohort.id)}>
      <bdi>{cohort.label}</bdi>
    </Link>
    {' · '}
    {born === null ? (
      'date of birth unknown'
    ) : (
      <>
        born <time dateTime={born}>{born}</time>
      </>
    )}
  </>
);

const Title = ({ subject }: { subject: SubjectHead | undefined }) => {
  const withdrawn = subject?.withdrawn;
  return (
    <span className={styles['title']}>
      <bdi data-withdrawn={withdrawn ? true : undefined}>{subject?.label ?? 'Subject'}</bdi>
      {withdrawn ? <WithdrawnChip date={withdrawn.date} erased={withdrawn.erased_at !== null} /> : null}
    </span>
  );
};

/** An erased subject cannot be changed. */
const ExternalIds = ({ subject: { id, cohort, external_ids, withdrawn } }: { subject: SubjectHead }) => (
  <ExternalIdsSection
    owner={(withdrawn?.erased_at ?? null) === null ? { kind: 'subject', id, cohort } : undefined}
    ids={Object.entries(external_ids).map(([system, externalId]) => [
      system,
      <ExternalLink key={system} url={externalId} />,
    ])}
  />
);

const { experiment, workflow, state, run, scandate, entered } = experimentColumns;
const columns = [experiment, workflow, state, run, scandate, entered];

interface ExperimentsProps {
  of: ReturnType<typeof useExperimentRows>;
  subject: SubjectHead | undefined;
}

const Experiments = ({ of, subject }: ExperimentsProps) => (
  <Section title="Experiments">
    <PagedTable
      of={of}
      what="experiments"
      label="Experiments of this subject"
      columns={columns}
      empty={
        <EmptyState
          title="This subject has no experiments yet."
          actions={subject ? <NewExperiment subject={subject} /> : null}
        >
          Create the first one, or let the archive do it through the API when scans arrive.
        </EmptyState>
      }
    />
  </Section>
);
