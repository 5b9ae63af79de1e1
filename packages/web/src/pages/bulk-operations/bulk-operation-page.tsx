/** One bulk operation: its progress, why experiments were refused, and the result of each. */
import { Button } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { useBulkOperation } from '../../bulk/bulk-queries.ts';
import { changeText, hasEnded, type BulkOperation } from '../../bulk/bulk-words.ts';
import { Progress } from '../../bulk/progress.tsx';
import { Refusals } from '../../bulk/refusals.tsx';
import { WithPanel } from '../../bulk/side-panel.tsx';
import type { Change } from '../../bulk/use-dry-run.ts';
import { useBulkKinds } from '../../bulk/use-bulk-kinds.ts';
import { paths } from '../../paths.ts';
import { useTitlesByLabel, type TitleOf } from '../../status/use-state-look.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { countOf } from '../../ui/numbers.ts';
import { Breadcrumbs, PageHead, TwoColumns, useTitle } from '../../ui/page-layout.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Section } from '../../ui/section.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { ResourcePage } from '../resource-page.tsx';
import { OperationItems } from './operation-items.tsx';

const BulkDrawer = lazy(async () => ({ default: (await import('../../bulk/bulk-drawer.tsx')).BulkDrawer }));

export const BulkOperationPage = () => <ResourcePage of={(id) => <OperationById key={id} id={id} />} />;

function OperationById({ id }: { id: number }) {
  const operation = useBulkOperation(id);
  const [isRetrying, setIsRetrying] = useState(false);
  const { data } = operation;
  const titleOf = useTitlesByLabel();
  useTitle(data && changeText(data, titleOf));
  const close = () => setIsRetrying(false);
  return (
    <WithPanel panel={data && isRetrying ? <RetryRefused operation={data} onClose={close} /> : null}>
      <Breadcrumbs crumbs={[{ label: 'Bulk operations', to: paths.bulkOperations }]} />
      <QueryResult query={operation} what="the bulk operation">
        {(shown) => <Operation operation={shown} onRetry={isRetrying ? undefined : () => setIsRetrying(true)} />}
      </QueryResult>
    </WithPanel>
  );
}

interface Props {
  operation: BulkOperation;
  /** Undefined if the form is open. */
  onRetry: (() => void) | undefined;
}

function Operation({ operation, onRetry }: Props) {
  const mayRetry = useBulkKinds().includes(operation.kind);
  const titleOf = useTitlesByLabel();
  return (
    <>
      <PageHead title={<bdi>{changeText(operation, titleOf)}</bdi>} about={<About operation={operation} />}>
        {mayRetry && onRetry && hasEnded(operation) && operation.refused > 0 ? (
          <Button onClick={onRetry}>Retry the refused</Button>
        ) : null}
      </PageHead>
      {onRetry ? (
        <TwoColumns main={<Results operation={operation} />} side={<Details operation={operation} />} />
      ) : (
        <Results operation={operation} />
      )}
    </>
  );
}

const Results = ({ operation }: { operation: BulkOperation }) => (
  <>
    <Section title="Progress">
      <Progress operation={operation} />
      <Refusals operation={operation} />
    </Section>
    <OperationItems operation={operation} />
  </>
);

const Details = ({ operation }: { operation: BulkOperation }) => (
  <Section title="Details">
    <DescriptionList items={detailsOf(operation, useTitlesByLabel())} />
  </Section>
);

const About = ({ operation: { experiments, author, created_at: at } }: { operation: BulkOperation }) => (
  <>
    {countOf(experiments, 'experiment')}, by <bdi>{author.name}</bdi> <Timestamp at={at} />
  </>
);

const time = (at: string | null) => (at === null ? null : <Timestamp at={at} as="exact" />);
const text = (value: string | null) => (value === null || value === '' ? null : <span dir="auto">{value}</span>);

const detailsOf = (operation: BulkOperation, titleOf: TitleOf): (readonly [name: string, value: ReactNode])[] => [
  ['Reason', text(operation.reason)],
  ['Query', operation.query === null ? null : <QueryLink query={operation.query} />],
  ['Repeats', operation.refused_of === null ? null : <OperationLink id={operation.refused_of} />],
  ['State', text(operation.state === null ? null : titleOf(operation.state))],
  ['Callbacks of the state', operation.run_callbacks === null ? null : operation.run_callbacks ? 'Run' : 'Not run'],
  ...Object.entries(operation.variables ?? {}).map(
    ([name, value]) => [name, <code key={name}>{JSON.stringify(value)}</code>] as const,
  ),
  ['Note', text(operation.text)],
  ['Rate', `Up to ${operation.rate.toLocaleString('en')} a second`],
  ['Author', text(operation.author.name)],
  ['Created', time(operation.created_at)],
  ['Checked', time(operation.checked_at)],
  ['Started', time(operation.started_at)],
  ['Ended', time(operation.ended_at)],
];

const QueryLink = ({ query }: { query: string }) => (
  <Link to={`${paths.experiments}?${new URLSearchParams({ q: query }).toString()}`}>
    <code dir="auto">{query === '' ? 'All experiments' : query}</code>
  </Link>
);

const OperationLink = ({ id }: { id: number }) => (
  <Link to={paths.bulkOperation(id)}>Refused experiments of bulk operation {id}</Link>
);

/** The same change as before. */
function changeOf({ state, run_callbacks, variables, user_id, text: note, kind }: BulkOperation): Change {
  return {
    ...(state === null ? {} : { state }),
    ...(run_callbacks === null ? {} : { run_callbacks }),
    ...(variables === null ? {} : { variables }),
    ...(kind === 'assign' ? { user_id } : {}),
    ...(note === null ? {} : { text: note }),
  };
}

function RetryRefused({ operation, onClose }: { operation: BulkOperation; onClose: () => void }) {
  const navigate = useNavigate();
  const titleOf = useTitlesByLabel();
  const { id, kind, refused, reason } = operation;
  return (
    <Suspense>
      <BulkDrawer
        kind={kind}
        chosen={{ of: { refused_of: id }, experiments: refused, more: false, states: [], cohorts: [] }}
        change={changeOf(operation)}
        about={`${changeText(operation, titleOf)}, as before.`}
        reason={reason}
        onApplied={(next) => void navigate(paths.bulkOperation(next))}
        onClose={onClose}
      />
    </Suspense>
  );
}
