/** What runs now, and how the experiment came here: both from the same answer. */
import { Answer } from '../../shown/answer.tsx';
import { Nothing, Section } from '../../shown/section.tsx';
import { ExecutionLines } from '../../executions/execution-line.tsx';
import { isOpen, type TimelineAction } from '../../executions/execution-words.ts';
import { Timeline } from './timeline.tsx';
import type { useTimeline } from './use-experiment.ts';

export const Story = ({ timeline }: { timeline: ReturnType<typeof useTimeline> }) => (
  <>
    <Section title="What runs now">
      <Answer of={timeline.first} what="what runs">
        {() => <Running latest={timeline.actions[0]} />}
      </Answer>
    </Section>
    <Section title="How it came here">
      {timeline.first.data ? <Timeline of={timeline} /> : <Nothing>Not known yet.</Nothing>}
    </Section>
  </>
);

function Running({ latest }: { latest: TimelineAction | undefined }) {
  const open = latest?.executions.filter(isOpen) ?? [];
  if (open.length > 0) return <ExecutionLines executions={open} />;
  return (
    <Nothing>
      {latest?.executions.length === 0
        ? 'Nothing: this state runs no callbacks.'
        : 'Nothing: all callbacks have ended.'}
    </Nothing>
  );
}
