/** One action: its states, who triggered it, its runs and its result. */
import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { ActionTitle, actorText, useActionText } from '../../status/action-title.tsx';
import { ExecutionLines } from '../../status/execution-line.tsx';
import type { TimelineAction } from '../../status/execution-text.ts';
import { TwoColumns, Breadcrumbs, PageHead, useTitle } from '../../ui/page-layout.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { MutedText, Section } from '../../ui/section.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { ResourcePage } from '../resource-page.tsx';
import { ActionDetails } from './action-details.tsx';
import { ActionResult } from './action-result.tsx';
import { useAction, useTimelineAction, type Action } from './use-action.ts';

export const ActionPage = () => <ResourcePage of={(id) => <ActionById key={id} id={id} />} />;

function ActionById({ id }: { id: number }) {
  const action = useAction(id);
  const timelineAction = useTimelineAction(action.data);
  const textOf = useActionText();
  useTitle(timelineAction.data ? textOf(timelineAction.data) : undefined);
  return (
    <QueryResult query={action} what="the action">
      {(data) => (
        <>
          <Breadcrumbs crumbs={[{ label: data.experiment.label, to: paths.experiment(data.experiment.id) }]} />
          <QueryResult query={timelineAction} what="the action">
            {(found) => <ActionContent action={data} timelineAction={found} />}
          </QueryResult>
        </>
      )}
    </QueryResult>
  );
}

interface Props {
  action: Action;
  timelineAction: TimelineAction | null;
}

function ActionContent({ action, timelineAction }: Props) {
  return (
    <>
      <PageHead
        title={timelineAction ? <ActionTitle action={timelineAction} /> : `Action ${action.id}`}
        about={<About action={action} timelineAction={timelineAction} />}
      />
      <TwoColumns
        main={
          <>
            {action.freetext === '' ? null : <Reason>{action.freetext}</Reason>}
            <Section title="Runs">
              {timelineAction && timelineAction.executions.length > 0 ? (
                <ExecutionLines executions={timelineAction.executions} />
              ) : (
                <MutedText>None. This action started no callbacks.</MutedText>
              )}
            </Section>
            <ActionResult action={action} timelineAction={timelineAction} />
          </>
        }
        side={<ActionDetails action={action} timelineAction={timelineAction} />}
      />
    </>
  );
}

const About = ({ action, timelineAction }: Props) => (
  <>
    <Timestamp at={action.start_time} /> {timelineAction ? <bdi>{actorText(timelineAction.actor)}</bdi> : null}
  </>
);

const Reason = ({ children }: { children: ReactNode }) => (
  <Section title="Reason">
    <MutedText>
      <span dir="auto">{children}</span>
    </MutedText>
  </Section>
);
