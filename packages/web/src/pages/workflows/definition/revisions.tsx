import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { QueryResult } from '../../../ui/query-result.tsx';
import { Section } from '../../../ui/section.tsx';
import { Timestamp } from '../../../ui/timestamp.tsx';
import { paths } from '../../../paths.ts';
import { Author } from './author.tsx';
import { useRevisions, type Definition, type Revision } from './use-definition.ts';
import styles from './definition.module.css';

const perStep = 50;

interface Props {
  /** The current definition of the workflow. */
  current: Definition;
  /** The number of the revision that is shown. */
  shown: number;
}

/** The newest first. */
export function Revisions({ current: { workflow, revision: last }, shown }: Props) {
  const [count, setCount] = useState(perStep);
  const first = Math.max(1, last - count + 1);
  const revisions = useRevisions(workflow.label, { first, last });
  const pathTo = ({ revision }: Revision) =>
    revision === last ? paths.workflowDefinition(workflow.id) : paths.workflowRevision(workflow.id, revision);
  return (
    <Section title="Revisions">
      <QueryResult query={revisions} what="the revisions">
        {(data) => (
          <ol className={styles['revisions']}>
            {data.revisions.toReversed().map((revision) => (
              <li key={revision.revision}>
                <Link to={pathTo(revision)} aria-current={revision.revision === shown ? 'true' : undefined}>
                  Revision {revision.revision}
                </Link>
                <Timestamp at={revision.created_at} />
                <Author of={revision} />
              </li>
            ))}
          </ol>
        )}
      </QueryResult>
      {first > 1 ? (
        <Button variant="subtle" loading={revisions.isFetching} onClick={() => setCount(count + perStep)}>
          Show earlier revisions
        </Button>
      ) : null}
    </Section>
  );
}
