import { Button } from '@mantine/core';
import { LongText } from '../shown/long-text.tsx';
import { Moment } from '../shown/moment.tsx';
import { Name } from '../shown/name.tsx';
import type { Column } from '../table/column.ts';
import { permissionWords } from './permission-words.ts';
import { isActive, type Token } from './tokens-query.ts';
import styles from './people.module.css';

const permissionsOf = ({ permissions }: Token): string =>
  permissions.length === 0 ? 'Read study data' : permissions.map(permissionWords).join('; ');

/** The words make the date clear on narrow screens, which show no column headers. */
function Expiry({ token: { revoked_at, expires_at }, active }: { token: Token; active: boolean }) {
  if (active)
    return (
      <>
        Expires <Moment at={expires_at} />
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
      <span className={isActive(token, now) ? styles['name'] : styles['over']}>
        <Name text={token.name} />
      </span>
    ),
  },
  {
    id: 'may',
    header: 'Permissions',
    text: permissionsOf,
    cell: (token) => <LongText text={permissionsOf(token)} />,
  },
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
    header: 'Expiry',
    width: '17%',
    text: ({ revoked_at, expires_at }) => revoked_at ?? expires_at,
    cell: (token) => <Expiry token={token} active={isActive(token, now)} />,
  },
  {
    id: 'revoke',
    header: 'Revoke token',
    control: true,
    width: '80px',
    text: () => '',
    cell: (token) =>
      isActive(token, now) ? (
        <Button variant="subtle" onClick={() => onRevoke(token)} aria-label={`Revoke token ${token.name}`}>
          Revoke…
        </Button>
      ) : null,
  },
];
