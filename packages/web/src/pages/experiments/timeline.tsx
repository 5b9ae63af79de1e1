/** The active runs and the timeline of an experiment, which come from the same query. */
import { ExecutionLines } from '../../status/execution-line.tsx';
import { isOpen, type TimelineAction } from '../../status/execution-text.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { Section } from '../../ui/section.tsx';
import { StateStrip, TotalTime } from './state-strip.tsx';
import { TimelineEntries } from './timeline-entries.tsx';
import type { useTimeline } from './use-experiment.ts';

interface Props {
  timeline: ReturnType<typeof useTimeline>;
  /** Whether the experiment is in a final state. */
  isFinal: boolean;
}

export const Timeline = ({ timeline, isFinal }: Props) => (
  <QueryResult query={timeline.first} what="the timeline">
    {() => (
      <>
        <ActiveRuns latest={timeline.actions[0]} />
        <Section title="Timeline" aside={<TotalTime actions={timeline.actions} isFinal={isFinal} />}>
          <StateStrip actions={timeline.actions} isFinal={isFinal} />
          <TimelineEntries of={timeline} />
        </Section>
      </>
    )}
  </QueryResult>
);

function ActiveRuns({ latest }: { latest: TimelineAction | undefined }) {
  const open = latest?.executions.filter(isOpen) ?? [];
  if (open.length === 0) return null;
  return (
    <Section title="Active runs">
      <ExecutionLines executions={open} />
    </Section>
  );
}
