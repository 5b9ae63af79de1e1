import { Outcome } from '../../status/outcome.tsx';
import type { Column } from '../../table/column.ts';
import { Name } from '../../ui/name.tsx';
import { count } from '../../ui/numbers.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import type { SystemStatus } from './system-query.ts';
import styles from './system.module.css';

type Process = SystemStatus['processes'][number];
type Queue = SystemStatus['queues'][number];

const kinds = { server: 'Server', worker: 'Worker' } as const;
const statuses = {
  running: ['running', 'Running'],
  lost: ['failed', 'Lost'],
  stopped: ['none', 'Stopped'],
} as const;

/** On a narrow screen, no header says what a value is. */
const Narrow = ({ children }: { children: string }) => <span className={styles['narrow']}>{children}</span>;
const Dash = () => <span className={styles['dash']}>–</span>;

const ProcessStatus = ({ status }: Process) => {
  const [outcome, word] = statuses[status];
  return <Outcome name={outcome} word={word} />;
};

export const processColumns: readonly Column<Process>[] = [
  {
    id: 'name',
    header: 'Process',
    names: true,
    width: '34%',
    text: ({ host, pid }) => `${host} ${pid}`,
    cell: ({ kind, host, pid }) => (
      <>
        <span className={styles['host']}>
          <Name text={host} />
        </span>
        <span className={styles['second']}>
          {kinds[kind]}, process {pid}
        </span>
      </>
    ),
  },
  { id: 'status', header: 'Status', text: ({ status }) => status, cell: (row) => <ProcessStatus {...row} /> },
  { id: 'version', header: 'Version', wideOnly: true, text: ({ version }) => version, cell: ({ version }) => version },
  {
    id: 'started',
    header: 'Started',
    wideOnly: true,
    text: ({ started_at }) => started_at,
    cell: ({ started_at }) => <Timestamp at={started_at} />,
  },
  {
    id: 'seen',
    header: 'Last heartbeat',
    text: ({ seen_at }) => seen_at,
    cell: ({ seen_at }) => (
      <>
        <Narrow>heartbeat </Narrow>
        <Timestamp at={seen_at} />
      </>
    ),
  },
  {
    id: 'runs',
    header: 'Active runs',
    align: 'right',
    width: '104px',
    text: ({ runs }) => String(runs),
    cell: ({ kind, runs }) =>
      kind === 'worker' ? (
        <>
          {count(runs)}
          <Narrow> active</Narrow>
        </>
      ) : (
        <Dash />
      ),
  },
];

export const queueColumns: readonly Column<Queue>[] = [
  {
    id: 'queue',
    header: 'Queue',
    names: true,
    width: '34%',
    text: ({ queue }) => queue,
    cell: ({ queue }) => (
      <span className={styles['host']}>
        <Name text={queue} />
      </span>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    text: ({ blocked }) => String(blocked),
    cell: ({ blocked, waiting }) =>
      blocked ? (
        <Outcome name="blocked" />
      ) : (
        <Outcome name={waiting > 0 ? 'queued' : 'none'} word={waiting > 0 ? 'Waiting' : 'Empty'} />
      ),
  },
  {
    id: 'oldest',
    header: 'Oldest run',
    text: ({ oldest_since }) => oldest_since ?? '',
    cell: ({ oldest_since }) =>
      oldest_since === null ? (
        <Dash />
      ) : (
        <>
          <Narrow>oldest </Narrow>
          <Timestamp at={oldest_since} as="for" />
        </>
      ),
  },
  {
    id: 'waiting',
    header: 'Waiting',
    align: 'right',
    width: '104px',
    text: ({ waiting }) => String(waiting),
    cell: ({ waiting }) => (
      <>
        {count(waiting)}
        <Narrow> waiting</Narrow>
      </>
    ),
  },
];
