import { CopyButton } from '../../ui/copy-button.tsx';
import { PlainText } from '../../ui/plain-text.tsx';
import { MutedText, Section } from '../../ui/section.tsx';
import { useRunningLog, type Execution } from './use-execution.ts';

/** The logs of earlier attempts, followed by that of the running one. */
const joinLogs = (earlier: string, running: string, attempt: number) =>
  earlier === '' || running === '' ? earlier + running : `${earlier}\n--- attempt ${attempt}, running\n${running}`;

export function Log({ execution }: { execution: Execution }) {
  const text = joinLogs(execution.run_log, useRunningLog(execution), execution.attempt);
  return (
    <Section title="Log" aside={text === '' ? null : <CopyButton what="log" text={text} />}>
      {text === '' ? (
        <MutedText>{execution.finished === null ? 'No output yet' : 'No output'}</MutedText>
      ) : (
        <PlainText label="Log" text={text} follows={execution.finished === null} />
      )}
    </Section>
  );
}
