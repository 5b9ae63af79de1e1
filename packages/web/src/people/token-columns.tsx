import { Button } from '@mantine/core';
import { LongText } from '../shown/long-text.tsx';
import { Moment } from '../shown/moment.tsx';
import { Name } from '../shown/name.tsx';
import type { Column } from '../table/column.ts';
import { permissionWords } from './permission-words.ts';
import { isOpen, type Token } from './tokens-query.ts';
import styles from './people.module.css';

const mayDo = ({ permissions }: Token): string =>
  permissions.length === 0 ? 'Read study data' : permissions.map(permissionWords).join('; ');

/** When it ends, or why it has: in words, as a narrow screen shows no heads of columns. */
function End({ token: { revoked_at, expires_at }, open }: { token: Token; open: boolean }) {
  if (open)
    return (
      <>
        Ends <Moment at={expires_at} />
      </>
    );
  return (
    <span className={styles['over']}>
      {revoked_at === null ? 'Expired ' : 'Revoked '}
      <Moment at={revoked_at ?? expires_at} as="past" />
    </span>
  );
}

export const tokenColumns = (now: Date, onRevoke: (token: Token) => void): readonly Column<Token>[] => [
  {
    id: 'token',
    header: 'Token',
    names: true,
    width: '22%',
    text: ({ name }) => name,
    cell: (token) => (
      <span className={isOpen(token, now) ? styles['name'] : styles['over']}>
        <Name text={token.name} />
      </span>
    ),
  },
  { id: 'may', header: 'What it may do', text: mayDo, cell: (token) => <LongText text={mayDo(token)} /> },
  {
    id: 'used',
    header: 'Last used',
    width: '14%',
    text: ({ last_used_at }) => last_used_at ?? '',
    cell: ({ last_used_at: at }) =>
      at === null ? (
        <span className={styles['over']}>Never used</span>
      ) : (
        <>
          Used <Moment at={at} as="past" />
        </>
      ),
  },
  {
    id: 'ends',
    header: 'End',
    width: '17%',
    text: ({ revoked_at, expires_at }) => revoked_at ?? expires_at,
    cell: (token) => <End token={token} open={isOpen(token, now)} />,
  },
  {
    id: 'revoke',
    header: 'Revoke it',
    control: true,
    width: '80px',
    text: () => '',
    cell: (token) =>
      isOpen(token, now) ? (
        <Button variant="subtle" onClick={() => onRevoke(token)} aria-label={`Revoke the token ${token.name}`}>
          Revoke…
        </Button>
      ) : null,
  },
];
