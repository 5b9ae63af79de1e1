/** The active runs and the timeline of an experiment, which come from the same query. */
import { ExecutionLines } from '../../status/execution-line.tsx';
import { isOpen, type TimelineAction } from '../../status/execution-text.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { MutedText, Section } from '../../ui/section.tsx';
import { isPlaced } from './time-in-state.ts';
import { TimelineEntries } from './timeline-entries.tsx';
import type { useTimeline } from './use-experiment.ts';

export const Timeline = ({ timeline }: { timeline: ReturnType<typeof useTimeline> }) => (
  <QueryResult query={timeline.first} what="the timeline">
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
  </QueryResult>
);

function ActiveRuns({ latest }: { latest: TimelineAction | undefined }) {
  const open = latest?.executions.filter(isOpen) ?? [];
  if (open.length > 0) return <ExecutionLines executions={open} />;
  if (latest && isPlaced(latest))
    return <MutedText>None. A correction set this state without running its callbacks.</MutedText>;
  return (
    <MutedText>
      {latest?.executions.length === 0 ? 'None. This state has no callbacks.' : 'None. All callbacks have finished.'}
    </MutedText>
  );
}
