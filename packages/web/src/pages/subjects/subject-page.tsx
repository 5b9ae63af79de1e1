/** One subject: its cohort, external IDs and experiments. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { operationQuery, type BodyOf, type Touches } from '../../api/operation-query.ts';
import { paths } from '../../paths.ts';
import { PagedTable } from '../../table/paged-table.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Section } from '../../ui/section.tsx';
import { experimentColumns } from '../experiments/experiment-columns.tsx';
import { useExperimentRows } from '../experiments/use-experiment-rows.ts';
import { ResourcePage } from '../resource-page.tsx';
import { SubjectActions } from './subject-actions.tsx';
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
  useTitle(subject.data?.label);
  return (
    <>
      <PageHead
        title={<bdi>{subject.data?.label ?? 'Subject'}</bdi>}
        about={subject.data ? <About subject={subject.data} /> : undefined}
      >
        {subject.data ? <SubjectActions subject={subject.data} /> : null}
      </PageHead>
      <QueryResult query={subject} what="the subject">
        {({ external_ids }) => <ExternalIds ids={external_ids} />}
      </QueryResult>
      {subject.error ? null : <Experiments subjectId={id} />}
    </>
  );
}

/** Shows the date of birth as stored, without time zone conversion. */
const About = ({ subject: { cohort, date_of_birth: born, withdrawn } }: { subject: SubjectHead }) => (
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
    {withdrawn ? <Withdrawn withdrawn={withdrawn} /> : null}
  </>
);

const Withdrawn = ({ withdrawn: { date, erased_at } }: { withdrawn: NonNullable<SubjectHead['withdrawn']> }) => (
  <>
    {' · '}
    <strong>
      withdrawn on <time dateTime={date}>{date}</time>
      {erased_at === null ? null : ', erased'}
    </strong>
  </>
);

function ExternalIds({ ids }: { ids: Readonly<Record<string, string>> }) {
  const all = Object.entries(ids);
  if (all.length === 0) return null;
  const systems = (
    <Link className={styles['systems']} to={paths.externalSystems}>
      External systems
    </Link>
  );
  return (
    <Section title="External IDs" aside={systems}>
      <DescriptionList
        items={all.map(([system, externalId]) => [system, <ExternalLink key={system} url={externalId} />])}
      />
    </Section>
  );
}

const { experiment, workflow, state, run, scandate, entered } = experimentColumns;
const columns = [experiment, workflow, state, run, scandate, entered];

function Experiments({ subjectId }: { subjectId: number }) {
  const rows = useExperimentRows({ subject_id: subjectId });
  return (
    <Section title="Experiments">
      <PagedTable
        of={rows}
        what="experiments"
        label="Experiments of this subject"
        columns={columns}
        empty={
          <EmptyState title="This subject has no experiments yet.">
            Create experiments through the API. Usually the archive does this when scans arrive.
          </EmptyState>
        }
      />
    </Section>
  );
}
