/** One run of a callback: its status, log, result and arguments. */
import { Answer } from '../../shown/answer.tsx';
import { Columns } from '../../shown/columns.tsx';
import { Nothing, Section } from '../../shown/section.tsx';
import { PlainText } from '../../shown/plain-text.tsx';
import { useTitle } from '../../shown/use-title.ts';
import { ResourcePage } from '../resource-page.tsx';
import { Attempts } from './attempts.tsx';
import { ExecutionFacts } from './execution-facts.tsx';
import { ExecutionHead } from './execution-head.tsx';
import { Log } from './log.tsx';
import { prettyJson } from './pretty-json.ts';
import { useAttempts, useExecution, type Execution } from './use-execution.ts';

export const ExecutionPage = () => <ResourcePage of={(id) => <ExecutionById key={id} id={id} />} />;

function ExecutionById({ id }: { id: number }) {
  const execution = useExecution(id);
  const attempts = useAttempts(id);
  useTitle(execution.data?.callback.label);
  return (
    <Answer of={execution} what="the run">
      {(data) => (
        <>
          <ExecutionHead execution={data} />
          <Columns
            main={
              <>
                <Log execution={data} />
                <Result execution={data} />
                <Section title="Arguments">
                  <Json label="Arguments" text={prettyJson(data.callback.callback_arguments)} empty="None" />
                </Section>
              </>
            }
            side={
              <>
                <ExecutionFacts execution={data} worker={attempts.data?.attempts.at(-1)?.worker ?? ''} />
                <Section title="Attempts">
                  <Answer of={attempts} what="attempts">
                    {({ attempts: all }) => <Attempts attempts={all} />}
                  </Answer>
                </Section>
              </>
            }
          />
        </>
      )}
    </Answer>
  );
}

const Json = ({ label, text, empty }: { label: string; text: string; empty: string }) =>
  text === '{}' || text === '' ? <Nothing>{empty}</Nothing> : <PlainText label={label} text={text} />;

const Result = ({ execution: { finished, result_log, result_values } }: { execution: Execution }) => (
  <Section title="Result">
    {result_log === '' ? null : <PlainText label="Result log" text={result_log} />}
    <Json
      label="Result values"
      text={prettyJson(result_values)}
      empty={finished === null ? 'None yet' : result_log === '' ? 'None' : ''}
    />
  </Section>
);
