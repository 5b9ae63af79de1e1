import { Button } from '@mantine/core';
import { announceDone, announceProblem } from '../../ui/announcements.tsx';
import { PlainText } from '../../ui/plain-text.tsx';
import { MutedText, Section } from '../../ui/section.tsx';
import { useRunningLog, type Execution } from './use-execution.ts';

const copy = async (text: string) => {
  await navigator.clipboard.writeText(text);
  announceDone('Copied the log.');
};

/** The logs of earlier attempts, followed by that of the running one. */
const joinLogs = (earlier: string, running: string, attempt: number) =>
  earlier === '' || running === '' ? earlier + running : `${earlier}\n--- attempt ${attempt}, running\n${running}`;

export function Log({ execution }: { execution: Execution }) {
  const text = joinLogs(execution.run_log, useRunningLog(execution), execution.attempt);
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
        <MutedText>{execution.finished === null ? 'No output yet' : 'No output'}</MutedText>
      ) : (
        <PlainText label="Log" text={text} follows={execution.finished === null} />
      )}
    </Section>
  );
}
