/** The state of the installation, for its operators: what does not work, and each part. */
import { useQuery } from '@tanstack/react-query';
import { textOfCondition } from '../../degraded/condition-texts.ts';
import { Outcome } from '../../status/outcome.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { count } from '../../ui/numbers.ts';
import { PageHead, TwoColumns, useTitle } from '../../ui/page-layout.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { MutedText, Section } from '../../ui/section.tsx';
import { DatabaseSection, HistorySection, VersionSection, WorkSection } from './system-facts.tsx';
import { processColumns, queueColumns } from './system-columns.tsx';
import { systemQuery, type SystemStatus } from './system-query.ts';
import styles from './system.module.css';

export function SystemPage() {
  useTitle('System');
  const system = useQuery(systemQuery);
  return (
    <>
      <PageHead
        title="System"
        about="The servers, workers and database of this installation. For alerts, use the metrics."
      />
      <QueryResult query={system} what="the state of the system">
        {(data) => (
          <>
            <Conditions names={data.conditions} />
            <TwoColumns main={<Tables system={data} />} side={<Facts system={data} />} />
          </>
        )}
      </QueryResult>
    </>
  );
}

function Conditions({ names }: { names: readonly string[] }) {
  if (names.length === 0) {
    return (
      <p className={styles['fine']}>
        <Outcome name="success" word="No problems found" />
      </p>
    );
  }
  return (
    <ul className={styles['conditions']}>
      {names.map((name) => {
        const { title, remedy } = textOfCondition(name);
        return (
          <li key={name}>
            <b>{title}</b> {remedy}
          </li>
        );
      })}
    </ul>
  );
}

const Tables = ({ system }: { system: SystemStatus }) => (
  <>
    <Section title="Servers and workers" number={count(system.processes.filter(isRunning).length)}>
      {system.processes.length === 0 ? (
        <MutedText>None has reported in the last 24 hours.</MutedText>
      ) : (
        <DataTable
          label="Servers and workers"
          columns={processColumns}
          rows={system.processes}
          rowKey={({ id }) => String(id)}
        />
      )}
    </Section>
    <Section title="Queues">
      {system.queues.length === 0 ? (
        <MutedText>No queues yet. A queue holds the runs that workers take.</MutedText>
      ) : (
        <DataTable label="Queues" columns={queueColumns} rows={system.queues} rowKey={({ queue }) => queue} />
      )}
    </Section>
  </>
);

const isRunning = ({ status }: SystemStatus['processes'][number]) => status === 'running';

const Facts = ({ system }: { system: SystemStatus }) => (
  <>
    <VersionSection system={system} />
    <DatabaseSection database={system.database} />
    <HistorySection checkpoints={system.checkpoints} />
    <WorkSection system={system} />
  </>
);
