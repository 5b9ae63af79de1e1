import { isOpen } from '../../status/execution-text.ts';
import { prettyJson } from '../../ui/plain-text.tsx';
import { MutedText, Section } from '../../ui/section.tsx';
import { fillInArguments } from './fill-in-arguments.ts';
import { Json } from './json.tsx';
import type { Execution } from './use-execution.ts';
import styles from './execution.module.css';

/** The arguments of the callback, with the placeholders filled in. */
export function Arguments({ execution }: { execution: Execution }) {
  const { values, current } = fillInArguments(execution.callback.callback_arguments, execution);
  return (
    <Section title="Arguments">
      <Json label="Arguments" text={prettyJson(values)} empty="None" />
      {current.length === 0 ? null : <CurrentValues names={current} of={execution} />}
    </Section>
  );
}

function aboutReading(execution: Execution): string {
  if (execution.run_start !== null) return 'which may have changed since the run started';
  return isOpen(execution) ? 'which the run reads when it starts' : 'because the run never started';
}

const CurrentValues = ({ names, of }: { names: readonly string[]; of: Execution }) => (
  <div className={styles['current']}>
    <MutedText>
      Current values, {aboutReading(of)}:{' '}
      {names.map((name, index) => (
        <span key={name}>
          {index === 0 ? '' : ', '}
          <code>{name}</code>
        </span>
      ))}
    </MutedText>
  </div>
);
