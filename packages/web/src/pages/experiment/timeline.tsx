/** The active runs and the timeline of an experiment, which come from the same query. */
import { Answer } from '../../shown/answer.tsx';
import { Nothing, Section } from '../../shown/section.tsx';
import { ExecutionLines } from '../../executions/execution-line.tsx';
import { isOpen, type TimelineAction } from '../../executions/execution-words.ts';
import { TimelineEntries } from './timeline-entries.tsx';
import type { useTimeline } from './use-experiment.ts';

export const Timeline = ({ timeline }: { timeline: ReturnType<typeof useTimeline> }) => (
  <Answer of={timeline.first} what="the timeline">
    {() => (
      <>
        <Section title="Active runs">
          <ActiveRuns latest={timeline.actions[0]} />
        </Section>
        <Section title="Timeline">
          <TimelineEntries of={timeline} />
        </Section>
      </>
    )}
  </Answer>
);

function ActiveRuns({ latest }: { latest: TimelineAction | undefined }) {
  const open = latest?.executions.filter(isOpen) ?? [];
  if (open.length > 0) return <ExecutionLines executions={open} />;
  return (
    <Nothing>
      {latest?.executions.length === 0 ? 'None. This state has no callbacks.' : 'None. All callbacks have finished.'}
    </Nothing>
  );
}
