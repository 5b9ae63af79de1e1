import { Button } from '@mantine/core';
import type { Column } from '../../table/column.ts';
import { LongText } from '../../ui/long-text.tsx';
import { Name } from '../../ui/name.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { permissionText, shownPermissions } from './permission-text.ts';
import type { Token } from './user-queries.ts';
import styles from './people.module.css';

const permissionsOf = ({ permissions }: Token): string =>
  shownPermissions(permissions).map(permissionText).join('; ') ||
  (permissions.length === 0 ? 'None' : permissionText('user_read'));

/** The words make the date clear on narrow screens, which show no column headers. */
function Expiry({ token: { revoked_at, expires_at }, active }: { token: Token; active: boolean }) {
  if (active)
    return (
      <>
        Expires <Timestamp at={expires_at} as="until" />
      </>
    );
  return (
    <span className={styles['over']}>
      {revoked_at === null ? 'Expired ' : 'Revoked '}
      <Timestamp at={revoked_at ?? expires_at} as="past" />
    </span>
  );
}

/** Whether the token is neither expired nor revoked. */
export const isActive = ({ revoked_at, expires_at }: Token, now: Date): boolean =>
  revoked_at === null && Date.parse(expires_at) > now.getTime();

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
          Used <Timestamp at={at} as="past" />
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
