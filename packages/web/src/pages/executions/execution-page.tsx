/** One run of a callback: its status, log, result and arguments. */
import { isOpen } from '../../status/execution-text.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { countOf } from '../../ui/numbers.ts';
import { TwoColumns, useTitle } from '../../ui/page-layout.tsx';
import { PlainText, prettyJson } from '../../ui/plain-text.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Section } from '../../ui/section.tsx';
import { ResourcePage } from '../resource-page.tsx';
import { Arguments } from './arguments.tsx';
import { Attempts } from './attempts.tsx';
import { ExecutionDetails } from './execution-details.tsx';
import { ExecutionHead } from './execution-head.tsx';
import { Json } from './json.tsx';
import { Log } from './log.tsx';
import { splitHeaders } from './split-headers.ts';
import { useAttempts, useExecution, type Execution } from './use-execution.ts';
import styles from './execution.module.css';

export const ExecutionPage = () => <ResourcePage of={(id) => <ExecutionById key={id} id={id} />} />;

function ExecutionById({ id }: { id: number }) {
  const execution = useExecution(id);
  const attempts = useAttempts(id);
  useTitle(execution.data?.callback.label);
  return (
    <QueryResult query={execution} what="the run">
      {(data) => (
        <>
          <ExecutionHead execution={data} />
          <TwoColumns
            main={
              <>
                <Log execution={data} />
                <Result execution={data} />
                <Arguments execution={data} />
              </>
            }
            side={
              <>
                <ExecutionDetails execution={data} worker={attempts.data?.attempts.at(-1)?.worker ?? ''} />
                <Section title="Attempts">
                  <QueryResult query={attempts} what="attempts">
                    {({ attempts: all }) => <Attempts attempts={all} isOpen={isOpen(data)} />}
                  </QueryResult>
                </Section>
              </>
            }
          />
        </>
      )}
    </QueryResult>
  );
}

/** The headers of an HTTP response are long and seldom needed, so they are folded. */
function ResultValues({ values, empty }: { values: Execution['result_values']; empty: string }) {
  const { headers, rest } = splitHeaders(values);
  return (
    <>
      <Json label="Result values" text={prettyJson(rest)} empty={empty} />
      {headers === undefined ? null : (
        <details className={styles['folded']}>
          <summary>{countOf(Object.keys(headers).length, 'header')}</summary>
          <PlainText label="Headers" text={prettyJson(headers)} />
        </details>
      )}
    </>
  );
}

const resultText = ({ result_log: log, result_values: values }: Execution): string =>
  [log, Object.keys(values).length === 0 ? '' : prettyJson(values)].filter((text) => text !== '').join('\n');

const Result = ({ execution }: { execution: Execution }) => {
  const { finished, result_log, result_values } = execution;
  const text = resultText(execution);
  return (
    <Section title="Result" aside={text === '' ? null : <CopyButton what="result" text={text} />}>
      {result_log === '' ? null : <PlainText label="Result log" text={result_log} />}
      <ResultValues values={result_values} empty={finished === null ? 'None yet' : result_log === '' ? 'None' : ''} />
    </Section>
  );
};
