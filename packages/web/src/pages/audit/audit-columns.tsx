import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { actorText } from '../../status/action-title.tsx';
import type { Column } from '../../table/column.ts';
import { Name, NameLink } from '../../ui/name.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { Change } from './change.tsx';
import { kinds } from './kinds.ts';
import type { Entry } from './use-audit.ts';
import styles from './audit.module.css';

const filterPath = (name: string, value: string | number) => `${paths.audit}?${name}=${encodeURIComponent(value)}`;

/** `web_uri` is absolute, with the public URL of the installation; links within the application need only its path. */
const pagePath = (webUri: string) => new URL(webUri).pathname;

const Actor = ({ actor }: Pick<Entry, 'actor'>) =>
  actor.kind === 'user' && actor.id !== null ? (
    <NameLink text={actor.name === '' ? `User ${actor.id}` : actor.name} to={filterPath('person', actor.id)} />
  ) : (
    <Name text={actorName(actor)} />
  );

const actorName = (actor: Entry['actor']) => {
  const words = actorText(actor).replace(/^by /, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const objectName = ({ label, id }: Entry['object']) => label ?? `ID ${id}`;

const ChangedObject = ({ object }: Pick<Entry, 'object'>) => (
  <>
    <span className={styles['kind']}>{kinds[object.kind as keyof typeof kinds]}</span>
    {object.web_uri === null ? (
      <Name text={objectName(object)} />
    ) : (
      <NameLink text={objectName(object)} to={pagePath(object.web_uri)} />
    )}
  </>
);

export const auditColumns: readonly Column<Entry>[] = [
  {
    id: 'at',
    header: 'Time',
    width: '120px',
    text: ({ at }) => at,
    cell: ({ at }) => <Timestamp at={at} as="short" />,
  },
  {
    id: 'actor',
    header: 'Actor',
    width: '15%',
    text: ({ actor }) => (actor.kind === 'user' ? actor.name : actorName(actor)),
    cell: ({ actor }) => <Actor actor={actor} />,
  },
  {
    id: 'operation',
    header: 'Operation',
    names: true,
    width: '19%',
    text: ({ operation }) => operation,
    cell: ({ operation }) => (
      <Link className={styles['operation'] ?? ''} to={filterPath('operation', operation)}>
        {operation}
      </Link>
    ),
  },
  {
    id: 'object',
    header: 'Object',
    width: '20%',
    text: ({ object }) => objectName(object),
    cell: ({ object }) => <ChangedObject object={object} />,
  },
  {
    id: 'change',
    header: 'Change',
    text: ({ reason }) => reason,
    cell: (entry) => <Change entry={entry} />,
  },
];
