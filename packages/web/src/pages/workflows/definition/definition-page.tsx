/** The file that defines a workflow, its revisions, and the changes of each revision. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useFilters } from '../../../filters/use-filters.ts';
import { paths } from '../../../paths.ts';
import { announceDone, announceProblem } from '../../../ui/announcements.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { Breadcrumbs, PageHead, TwoColumns, useTitle } from '../../../ui/page-layout.tsx';
import { QueryResult } from '../../../ui/query-result.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { Timestamp } from '../../../ui/timestamp.tsx';
import { ResourcePage } from '../../resource-page.tsx';
import { NewRevisionButton } from '../import/new-revision-button.tsx';
import { Changes } from './changes.tsx';
import { File } from './file.tsx';
import { fileName } from './file-name.ts';
import { Author } from './author.tsx';
import { Revisions } from './revisions.tsx';
import { currentQuery, useRevision, workflowQuery, type Definition } from './use-definition.ts';
import styles from './definition.module.css';

export const DefinitionPage = () => <ResourcePage of={(id) => <OfWorkflow key={id} id={id} />} />;

function OfWorkflow({ id }: { id: number }) {
  const workflow = useQuery(workflowQuery(id));
  useTitle(workflow.data && `Definition of ${workflow.data.label}`);
  return (
    <QueryResult query={workflow} what="the workflow">
      {({ label }) => <Current id={id} label={label} />}
    </QueryResult>
  );
}

function Current({ id, label }: { id: number; label: string }) {
  const current = useQuery(currentQuery(id, label));
  return (
    <>
      <Breadcrumbs crumbs={[{ label, to: paths.workflow(id) }]} />
      <QueryResult query={current} what="the definition">
        {(definition) => <Chosen current={definition} />}
      </QueryResult>
    </>
  );
}

/** The revision in the URL, or the current one. */
function Chosen({ current }: { current: Definition }) {
  const number = useFilters().numberOf('revision');
  const isCurrent = number === undefined || number === current.revision;
  const chosen = useRevision(current.workflow.label, isCurrent ? undefined : number);
  if (isCurrent) return <Shown current={current} definition={current} />;
  return (
    <QueryResult query={chosen} what="the revision">
      {(definition) => <Shown current={current} definition={definition} />}
    </QueryResult>
  );
}

const copy = async (text: string) => {
  await navigator.clipboard.writeText(text);
  announceDone('Copied the definition.');
};

interface ShownProps {
  current: Definition;
  definition: Definition;
}

function Shown({ current, definition }: ShownProps) {
  const { workflow, revision, definition: text } = definition;
  const name = fileName(workflow.label, revision, text);
  return (
    <>
      <PageHead title="Definition" about={<About definition={definition} isCurrent={revision === current.revision} />}>
        <Button onClick={() => void copy(text).catch(announceProblem)}>Copy</Button>
        <Button onClick={() => saveFile(name, [text])}>Download</Button>
        <NewRevisionButton workflowId={workflow.id} />
      </PageHead>
      <TwoColumns
        main={<FileOrChanges definition={definition} />}
        side={<Revisions current={current} shown={revision} />}
      />
    </>
  );
}

const About = ({ definition, isCurrent }: { definition: Definition; isCurrent: boolean }) => (
  <span className={styles['about']}>
    Revision {definition.revision}
    {isCurrent ? ' (current)' : ''} · <Timestamp at={definition.created_at} /> · <Author of={definition} />
  </span>
);

/** The first revision has no changes. */
function FileOrChanges({ definition }: { definition: Definition }) {
  const { workflow, revision, definition: text } = definition;
  const isChanges = useFilters().textOf('view') === 'changes' && revision > 1;
  const before = useRevision(workflow.label, isChanges ? revision - 1 : undefined);
  if (revision === 1) return <File text={text} />;
  const path = paths.workflowRevision(workflow.id, revision);
  return (
    <>
      <Tabs
        label="View"
        tabs={[
          { name: 'File', to: path, current: !isChanges },
          { name: `Changes since revision ${revision - 1}`, to: `${path}&view=changes`, current: isChanges },
        ]}
      />
      {isChanges ? (
        <QueryResult query={before} what="the revision before it">
          {({ definition: earlier }) => <Changes before={earlier} after={text} />}
        </QueryResult>
      ) : (
        <File text={text} />
      )}
    </>
  );
}
