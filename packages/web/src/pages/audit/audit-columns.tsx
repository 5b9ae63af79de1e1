import { Link } from 'react-router';
import { actorWords } from '../../executions/actor-words.ts';
import { paths } from '../../paths.ts';
import { Moment } from '../../shown/moment.tsx';
import { Name, NameLink } from '../../shown/name.tsx';
import type { Column } from '../../table/column.ts';
import { Change } from './change.tsx';
import { kinds } from './kinds.ts';
import type { Entry } from './use-audit.ts';
import styles from './audit.module.css';

const filtered = (name: string, value: string | number) => `${paths.audit}?${name}=${encodeURIComponent(value)}`;

/** The path of a page of ours: `web_uri` says it with the address that others see. */
const pageOf = (webUri: string) => new URL(webUri).pathname;

const Who = ({ actor }: Pick<Entry, 'actor'>) =>
  actor.kind === 'user' && actor.id !== null ? (
    <NameLink text={actor.name === '' ? `User ${actor.id}` : actor.name} to={filtered('person', actor.id)} />
  ) : (
    <Name text={wordsOf(actor)} />
  );

const wordsOf = (actor: Entry['actor']) => {
  const words = actorWords(actor).replace(/^by /, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const nameOf = ({ label, id }: Entry['object']) => label ?? `No. ${id}`;

const What = ({ object }: Pick<Entry, 'object'>) => (
  <>
    <span className={styles['kind']}>{kinds[object.kind as keyof typeof kinds]}</span>
    {object.web_uri === null ? (
      <Name text={nameOf(object)} />
    ) : (
      <NameLink text={nameOf(object)} to={pageOf(object.web_uri)} />
    )}
  </>
);

export const auditColumns: readonly Column<Entry>[] = [
  {
    id: 'at',
    header: 'When',
    width: '120px',
    text: ({ at }) => at,
    cell: ({ at }) => <Moment at={at} as="short" />,
  },
  {
    id: 'actor',
    header: 'Who',
    width: '15%',
    text: ({ actor }) => (actor.kind === 'user' ? actor.name : wordsOf(actor)),
    cell: ({ actor }) => <Who actor={actor} />,
  },
  {
    id: 'operation',
    header: 'Did what',
    names: true,
    width: '19%',
    text: ({ operation }) => operation,
    cell: ({ operation }) => (
      <Link className={styles['operation'] ?? ''} to={filtered('operation', operation)}>
        {operation}
      </Link>
    ),
  },
  {
    id: 'object',
    header: 'To what',
    width: '20%',
    text: ({ object }) => nameOf(object),
    cell: ({ object }) => <What object={object} />,
  },
  {
    id: 'change',
    header: 'What changed',
    text: ({ reason }) => reason,
    cell: (entry) => <Change entry={entry} />,
  },
];
