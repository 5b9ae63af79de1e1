import { Button } from '@mantine/core';
import { announceDone, announceProblem } from '../../shown/announcements.tsx';
import { PlainText } from '../../shown/plain-text.tsx';
import { Nothing, Section } from '../../shown/section.tsx';
import { useRunningLog, type Execution } from './use-execution.ts';

const copy = async (text: string) => {
  await navigator.clipboard.writeText(text);
  announceDone('The log is copied.');
};

/** What was there before, and what the running attempt has said until now. */
const joined = (ended: string, running: string, attempt: number) =>
  ended === '' || running === '' ? ended + running : `${ended}\n--- attempt ${attempt}, which runs now\n${running}`;

export function Log({ execution }: { execution: Execution }) {
  const text = joined(execution.run_log, useRunningLog(execution), execution.attempt);
  return (
    <Section
      title="Log"
      aside={
        text === '' ? null : (
          <Button variant="subtle" onClick={() => void copy(text).catch(announceProblem)}>
            Copy log
          </Button>
        )
      }
    >
      {text === '' ? (
        <Nothing>{execution.finished === null ? 'Nothing said yet.' : 'It said nothing.'}</Nothing>
      ) : (
        <PlainText label="Log" text={text} follows={execution.finished === null} />
      )}
    </Section>
  );
}
