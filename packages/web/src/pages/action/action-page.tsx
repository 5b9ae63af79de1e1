/** One action: from where to where, who caused it, what it ran and how it ended. */
import type { ReactNode } from 'react';
import { ActionTitle, actionText } from '../../executions/action-title.tsx';
import { actorWords } from '../../executions/actor-words.ts';
import { ExecutionLines } from '../../executions/execution-line.tsx';
import type { TimelineAction } from '../../executions/execution-words.ts';
import { Answer } from '../../shown/answer.tsx';
import { Moment } from '../../shown/moment.tsx';
import { Columns } from '../../shown/columns.tsx';
import { Crumbs } from '../../shown/crumbs.tsx';
import { PageHead } from '../../shown/page-head.tsx';
import { Nothing, Section } from '../../shown/section.tsx';
import { useTitle } from '../../shown/use-title.ts';
import { paths } from '../../paths.ts';
import { ResourcePage } from '../resource-page.tsx';
import { ActionFacts } from './action-facts.tsx';
import { Ending } from './ending.tsx';
import { useAction, useTimelineAction, type Action } from './use-action.ts';

export const ActionPage = () => <ResourcePage of={(id) => <ActionById key={id} id={id} />} />;

function ActionById({ id }: { id: number }) {
  const action = useAction(id);
  const told = useTimelineAction(action.data);
  useTitle(told.data ? actionText(told.data) : undefined);
  return (
    <Answer of={action} what="the action">
      {(data) => (
        <>
          <Crumbs crumbs={[{ label: data.experiment.label, to: paths.experiment(data.experiment.id) }]} />
          <Answer of={told} what="the action">
            {(found) => <Told action={data} told={found} />}
          </Answer>
        </>
      )}
    </Answer>
  );
}

function Told({ action, told }: { action: Action; told: TimelineAction | null }) {
  return (
    <>
      <PageHead
        title={told ? <ActionTitle action={told} /> : `Action ${action.id}`}
        about={<About action={action} told={told} />}
      />
      <Columns
        main={
          <>
            {action.freetext === '' ? null : <Words>{action.freetext}</Words>}
            <Section title="What it ran">
              {told && told.executions.length > 0 ? (
                <ExecutionLines executions={told.executions} />
              ) : (
                <Nothing>Nothing: the state had no callbacks to run.</Nothing>
              )}
            </Section>
            <Ending action={action} />
          </>
        }
        side={<ActionFacts action={action} told={told} />}
      />
    </>
  );
}

const About = ({ action, told }: { action: Action; told: TimelineAction | null }) => (
  <>
    <Moment at={action.start_time} /> {told ? <bdi>{actorWords(told.actor)}</bdi> : null}
  </>
);

const Words = ({ children }: { children: ReactNode }) => (
  <Section title="Reason">
    <Nothing>
      <span dir="auto">{children}</span>
    </Nothing>
  </Section>
);
