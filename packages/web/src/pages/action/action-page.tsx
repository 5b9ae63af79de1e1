/** One action: its states, who triggered it, its runs and its result. */
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
import { ActionResult } from './action-result.tsx';
import { useAction, useTimelineAction, type Action } from './use-action.ts';

export const ActionPage = () => <ResourcePage of={(id) => <ActionById key={id} id={id} />} />;

function ActionById({ id }: { id: number }) {
  const action = useAction(id);
  const timelineAction = useTimelineAction(action.data);
  useTitle(timelineAction.data ? actionText(timelineAction.data) : undefined);
  return (
    <Answer of={action} what="the action">
      {(data) => (
        <>
          <Crumbs crumbs={[{ label: data.experiment.label, to: paths.experiment(data.experiment.id) }]} />
          <Answer of={timelineAction} what="the action">
            {(found) => <ActionContent action={data} timelineAction={found} />}
          </Answer>
        </>
      )}
    </Answer>
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
      <Columns
        main={
          <>
            {action.freetext === '' ? null : <Reason>{action.freetext}</Reason>}
            <Section title="Runs">
              {timelineAction && timelineAction.executions.length > 0 ? (
                <ExecutionLines executions={timelineAction.executions} />
              ) : (
                <Nothing>None. The state had no callbacks.</Nothing>
              )}
            </Section>
            <ActionResult action={action} />
          </>
        }
        side={<ActionFacts action={action} timelineAction={timelineAction} />}
      />
    </>
  );
}

const About = ({ action, timelineAction }: Props) => (
  <>
    <Moment at={action.start_time} /> {timelineAction ? <bdi>{actorWords(timelineAction.actor)}</bdi> : null}
  </>
);

const Reason = ({ children }: { children: ReactNode }) => (
  <Section title="Reason">
    <Nothing>
      <span dir="auto">{children}</span>
    </Nothing>
  </Section>
);
