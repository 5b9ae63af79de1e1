/** What runs now, and how the experiment came here: both from the same answer. */
import { Answer } from '../../shown/answer.tsx';
import { Nothing, Section } from '../../shown/section.tsx';
import { ExecutionLines } from '../../executions/execution-line.tsx';
import { isOpen, type TimelineAction } from '../../executions/execution-words.ts';
import { Timeline } from './timeline.tsx';
import type { useTimeline } from './use-experiment.ts';

export const Story = ({ timeline }: { timeline: ReturnType<typeof useTimeline> }) => (
  <Answer of={timeline.first} what="how it came here">
    {() => (
      <>
        <Section title="What runs now">
          <Running latest={timeline.actions[0]} />
        </Section>
        <Section title="How it came here">
          <Timeline of={timeline} />
        </Section>
      </>
    )}
  </Answer>
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
