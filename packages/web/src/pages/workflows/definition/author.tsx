import type { BodyOf } from '../../../api/operation-query.ts';
import { Name } from '../../../ui/name.tsx';

type Revision = BodyOf<'listWorkflowRevisions'>['revisions'][number];

export const Author = ({ of: { author } }: { of: Pick<Revision, 'author'> }) => (
  <span>{author === null ? 'command line' : <Name text={author.name} />}</span>
);
